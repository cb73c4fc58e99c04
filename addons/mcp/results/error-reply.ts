import {
  describeFieldError,
  type FieldErrors,
  fieldsOf,
  type OperationId,
  operationIds,
  operationOf,
  type Schema,
} from '../../../src/contract/index.js';
import {
  ApiError,
  InvalidRequestError,
  RateLimitError,
  RequestAbortedError,
  WorktrackError,
} from '../../../src/index.js';
import { shorten } from '../../../src/internal.js';
import { LookupError } from '../../shared/names.js';
import { cleanLine } from '../text/clean-text.js';
import { callTimeout, toolNameOf } from '../tools/tool.js';
import { failure, type Reply, ToolInputError, textPart } from './reply.js';
import { table } from './table.js';

/**
 * Explains in one line what failed, whether the write was performed, and what to do next.
 *
 * @param availableTools the tools that the model can use
 */
export function errorReply(tool: string, error: unknown, availableTools: ReadonlySet<string>): Reply {
  if (error instanceof ToolInputError) return failure(`${tool}: ${error.message}`);
  if (error instanceof LookupError) return lookupReply(tool, error);
  if (!(error instanceof WorktrackError)) {
    const heading = `${tool} failed: internal error in this MCP server; see its log.`;
    return { ...failure(heading), isUnexpected: true };
  }
  if (error instanceof InvalidRequestError)
    return failure(`${tool}: nothing was sent: ${problems(error.fieldErrors).join('; ')}`);
  const sentences = [
    `${tool} failed: ${describeCause(error)}.`,
    describeOutcome(error, availableTools),
    suggestNextStep(error),
  ];
  const words = serverWords(error);
  const data = words === undefined ? undefined : [textPart(words)];
  return { isError: true, heading: sentences.filter(Boolean).join(' '), data };
}

/** The maximum number of records to suggest. Each suggestion costs about ten tokens. */
const mostCandidates = 20;

/** Lists the records that the model may have meant, with their IDs. */
function lookupReply(tool: string, { problem, candidates }: LookupError): Reply {
  const [first] = candidates;
  const heading = `${tool}: ${cleanLine(problem)}.${first ? ' Use an ID or name from this list:' : ''}`;
  const columns = first && ['id', 'key', 'slug', 'name'].filter((column) => column in first);
  const data = columns && [table(candidates.slice(0, mostCandidates) as never, columns)];
  const others = candidates.length - mostCandidates;
  const hint = others > 0 ? `There are ${others} more. To see them, use the list tools.` : undefined;
  return { isError: true, heading, data, hint };
}

function describeCause(error: WorktrackError): string {
  if (error instanceof ApiError) {
    // If the server doesn't send a code, the error class provides one, which says no more than the status.
    const code = Object.hasOwn(error, 'code') && shorten(cleanLine(error.code), 40);
    return [`HTTP ${error.status}`, code].filter(Boolean).join(' ');
  }
  if (error instanceof RequestAbortedError)
    return `the call was canceled or took longer than ${callTimeout / 1000} seconds`;
  if (error.code === 'timeout') return 'the request timed out';
  if (error.code === 'connection') return 'no complete response from the API';
  return error.code === 'invalid_response' ? "the response couldn't be read" : shorten(error.message, 200);
}

/** Describes the outcome of a write. Returns an empty string for reads. */
function describeOutcome(error: WorktrackError, availableTools: ReadonlySet<string>): string {
  const { operation, outcome } = error;
  if (!operation || operationOf(operation).method === 'GET') return '';
  if (outcome === 'done') return 'The change WAS made, but its response is unusable. Do not retry it.';
  if (outcome !== 'unknown') return 'Nothing was changed.';
  const check = describeCheck(operation, availableTools);
  return `The change may or may not have been made. ${check} before you try again.`;
}

function suggestNextStep(error: WorktrackError): string {
  if (error instanceof RateLimitError) return `Wait ${error.retryAfter ?? 60} seconds before the next call.`;
  if (!(error instanceof ApiError)) return '';
  const { status, operation, code } = error;
  if (status === 401) return 'The API token is missing or invalid. Tell the user to replace it.';
  if (status === 404) return "The record doesn't exist or was deleted. Get IDs from a list.";
  if (status !== 403) return '';
  const scope = operation && operationOf(operation).scope;
  return code === 'wrong_organization'
    ? 'The record belongs to another organization.'
    : `The API token may lack the ${scope} scope. Tell the user.`;
}

/** Returns the server's message. It's fenced because it can contain user-provided names. */
function serverWords(error: WorktrackError): string | undefined {
  if (!(error instanceof ApiError) || error.status === 401 || error.status === 429) return undefined;
  const { fieldErrors } = error as { fieldErrors?: FieldErrors };
  const lines = fieldErrors && problems(fieldErrors);
  if (lines && lines.length > 0) return `fieldErrors:\n${lines.join('\n')}`;
  return `message: ${shorten(cleanLine(error.message), 300)}`;
}

function problems(fieldErrors: FieldErrors): string[] {
  const lines = Object.entries(fieldErrors).map(([field, messages]) =>
    shorten(cleanLine(describeFieldError(shorten(field, 60), messages.join(', '))), 360),
  );
  return lines.length > 10 ? [...lines.slice(0, 10), `and ${lines.length - 10} more`] : lines;
}

/** Explains how to check whether a write succeeded if its response was lost. */
function describeCheck(operation: OperationId, availableTools: ReadonlySet<string>): string {
  const check = checkOf(operation);
  // The API can't list comments or notifications.
  if (!check) return "The API can't confirm it. Ask the user to check";
  const tool = toolNameOf(check);
  if (!availableTools.has(tool)) return 'Ask the user to check';
  const { query } = operationOf(check);
  const isSearch =
    operation.endsWith('.create') && query && fieldsOf(query as Schema<unknown, never>).has('q');
  return `Check with ${tool}${isSearch ? ' (q: the title)' : ''}`;
}

/**
 * Returns the operation that reads the record written by the given operation. If no operation reads the
 * record, returns the operation that lists such records.
 */
function checkOf(operation: OperationId): OperationId | undefined {
  const withVerb = (verb: string) => operationIds.find((id) => id === operation.replace(/[^.]+$/, verb));
  const get = withVerb('get');
  // If an operation acts on a single record, it has the same path parameters as `get`.
  const isOnRecord = get && `${operationOf(get).parameters}` === `${operationOf(operation).parameters}`;
  return isOnRecord ? get : withVerb('list');
}
