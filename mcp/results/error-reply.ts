import { type FieldErrors, operationOf } from '../../src/contract/index.js';
import {
  isApiError,
  isInvalidRequestError,
  isRateLimitError,
  isRequestAbortedError,
  isWorktrackError,
  type WorktrackError,
} from '../../src/index.js';
import { cleanLine } from '../text/clean-text.js';
import { shorten } from '../text/size.js';
import { describeCheck } from './describe-check.js';
import { type Reply, ToolInputError } from './reply.js';

/**
 * Explains in one line what failed, whether the write was performed, and what to do next.
 *
 * @param availableTools the tools that the model can use
 */
export function errorReply(tool: string, error: unknown, availableTools: ReadonlySet<string>): Reply {
  if (error instanceof ToolInputError) return { isError: true, heading: `${tool}: ${error.message}` };
  if (!isWorktrackError(error)) {
    return {
      isError: true,
      isUnexpected: true,
      heading: `${tool} failed: internal error in this MCP server; see its log.`,
    };
  }
  if (isInvalidRequestError(error)) {
    return {
      isError: true,
      heading: `${tool}: nothing was sent: ${problems(error.fieldErrors, ' ').join('; ')}`,
    };
  }
  const sentences = [
    `${tool} failed: ${describeCause(error)}.`,
    describeOutcome(error, availableTools),
    suggestNextStep(error),
  ];
  return { isError: true, heading: sentences.filter(Boolean).join(' '), data: serverWords(error) };
}

function describeCause(error: WorktrackError): string {
  if (isApiError(error)) {
    const reason = error.reason && shorten(cleanLine(error.reason), 40);
    return [`HTTP ${error.status}`, reason].filter(Boolean).join(' ');
  }
  if (isRequestAbortedError(error)) return 'the call was canceled';
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
  if (isRateLimitError(error)) return `Wait ${error.retryAfter ?? 60} seconds before the next call.`;
  if (!isApiError(error)) return '';
  const { status, operation, reason } = error;
  if (status === 401) return 'The API token is missing or invalid. Tell the user to replace it.';
  if (status === 404) return "The record doesn't exist or was deleted. Get IDs from a list.";
  if (status !== 403) return '';
  const scope = operation && operationOf(operation).scope;
  return reason === 'wrong_organization'
    ? 'The record belongs to another organization.'
    : `The API token may lack the ${scope} scope. Tell the user.`;
}

/** Returns the server's message. It's fenced because it can contain user-provided names. */
function serverWords(error: WorktrackError): string | undefined {
  if (!isApiError(error) || error.status === 401 || error.status === 429) return undefined;
  const { fieldErrors } = error as { fieldErrors?: FieldErrors };
  const lines = fieldErrors && problems(fieldErrors);
  if (lines && lines.length > 0) return `fieldErrors:\n${lines.join('\n')}`;
  return `message: ${shorten(cleanLine(error.message), 300)}`;
}

/** @param separator the client's messages are predicates (`title is required`); a server's can be anything */
function problems(fieldErrors: FieldErrors, separator = ': '): string[] {
  const lines = Object.entries(fieldErrors).map(
    ([field, messages]) =>
      `${shorten(cleanLine(field), 60)}${separator}${shorten(cleanLine(messages.join(', ')), 300)}`,
  );
  return lines.length > 10 ? [...lines.slice(0, 10), `and ${lines.length - 10} more`] : lines;
}
