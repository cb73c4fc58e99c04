import type { OperationId } from 'worktrack/contract';
import { operations } from '../../support/operations.js';
import { boardModel } from './boards.js';
import { documentModel } from './documents.js';
import { organizationModel } from './organization.js';
import { bodyError, isValidQuery } from './payload.js';
import { projectModel } from './projects.js';
import { type ModelRules, Rejected } from './rule.js';
import type { Model, ModelBoard, ModelProject } from './state.js';
import { ticketModel } from './tickets.js';

/** A request with resolved IDs. */
export interface ModelRequest {
  operation: OperationId;
  token: string | null;
  ids: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** A response that the specification allows. */
export interface Expectation {
  status: number;
  /** The allowed error codes, one per violated rule. */
  codes?: readonly string[];
  data?: unknown;
}

/** The operations that the model implements. Random sequences use only these operations. */
const rules: ModelRules = {
  ...organizationModel,
  ...projectModel,
  ...boardModel,
  ...ticketModel,
  ...documentModel,
};

export const modeledOperations = Object.keys(rules) as OperationId[];

/**
 * Applies a request to the model and returns the expected response.
 *
 * @param actual - The record that the server returned. The model uses only the IDs of new records.
 */
export function expected(model: Model, request: ModelRequest, actual: unknown): Expectation {
  const { operation, token, ids, query = {}, body } = request;
  const { scope, status: success } = operations[operation];
  const credential = model.credentials.find((candidate) => candidate.token === token);
  if (!credential) return { status: 401, codes: ['invalid_credential'] };
  if (!credential.scopes.includes(scope) && !credential.scopes.includes('*'))
    return { status: 403, codes: ['missing_scope'] };
  const owner = ownerOf(model, ids);
  if (owner === undefined) return { status: 404, codes: ['not_found'] };
  if (owner !== credential.organization) return { status: 403, codes: ['wrong_organization'] };
  const invalid = bodyError(operation, body ?? {});
  if (invalid) return { status: 422, codes: [invalid] };
  if (!isValidQuery(operation, query)) return { status: 422, codes: ['validation_failed'] };
  try {
    const data = rules[operation]?.({
      model,
      credential,
      organization: model.organizations.get(owner) as never,
      ids: ids as never,
      query,
      body: body ?? {},
      actual: actual as never,
    });
    return { status: success, data };
  } catch (error) {
    if (error instanceof Rejected) return { status: 422, codes: error.codes };
    throw error;
  }
}

/** Returns the organization of the record in the path, or `undefined` if the record doesn't exist. */
function ownerOf(model: Model, { organization, project, board, ticket, document }: ModelRequest['ids']) {
  if (organization !== undefined) return organization;
  if (document !== undefined) {
    const found = model.documents.get(document);
    return found && !found.deleted ? found.fields.organization_id : undefined;
  }
  const found = ticket === undefined ? undefined : model.tickets.get(ticket);
  if (ticket !== undefined && (!found || found.deleted)) return undefined;
  return organizationOf(model, project, board ?? found?.fields.board_id);
}

function organizationOf(model: Model, project?: string, board?: string): string | undefined {
  const onBoard: ModelBoard | undefined = board === undefined ? undefined : model.boards.get(board);
  if (board !== undefined && (!onBoard || onBoard.deleted)) return undefined;
  const inProject: ModelProject | undefined = model.projects.get(onBoard?.fields.project_id ?? project ?? '');
  return inProject && !inProject.deleted ? (inProject.fields.organization_id as string) : undefined;
}
