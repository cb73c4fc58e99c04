import type { Scope } from '../../src/contract/index.js';
import { decodeCredential, type Wire } from '../../src/wire/index.js';
import { Refusal } from '../rules/index.js';
import type { Subjects } from '../rules/rule.js';
import type {
  BoardRow,
  CredentialRow,
  DocumentRow,
  OrganizationRow,
  ProjectRow,
  TicketRow,
} from '../state/rows.js';
import type { State } from '../state/state.js';

/** @throws Refusal `invalid_credential` (401) */
export function authenticate(state: State, wire: Wire, headers: Headers): CredentialRow {
  const token = decodeCredential(wire.credential, headers);
  if (token === undefined) {
    const { header, scheme } = wire.credential;
    throw new Refusal(
      'invalid_credential',
      `No credential: send ${header}: ${scheme} <token>.`.replace('  ', ' '),
    );
  }
  const credential = state.credentials.get(token);
  if (!credential) throw new Refusal('invalid_credential', 'The credential is not valid.');
  return credential;
}

/** @throws Refusal `missing_scope` (403) */
export function requireScope({ name, scopes }: CredentialRow, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw new Refusal('missing_scope', `The credential ${JSON.stringify(name)} lacks the scope ${scope}.`);
}

/**
 * The records that the path names, which must be there and belong to the credential's organization.
 *
 * @throws Refusal `not_found` (404) for one that is missing, deleted, or gone with what it was part of;
 * `wrong_organization` (403) for another's
 */
export function resolve(
  state: State,
  { organization_id }: CredentialRow,
  params: Readonly<Record<string, string>>,
): Partial<Subjects> {
  const subjects: Partial<Subjects> = {};
  for (const name of Object.keys(params) as (keyof Subjects)[]) {
    const id = params[name] as string;
    if (name === 'organization') {
      // Whether another organization exists is nobody's business.
      if (id !== organization_id) throw wrongOrganization();
      subjects.organization = state.organizations.get(id) as OrganizationRow;
      continue;
    }
    const found = find[name](state, id);
    if (!found) throw new Refusal('not_found', `There is no ${name} ${JSON.stringify(id)}.`);
    if (found.organization !== organization_id) throw wrongOrganization();
    (subjects as Record<string, unknown>)[name] = found.row;
  }
  return subjects;
}

const wrongOrganization = () =>
  new Refusal('wrong_organization', 'The credential belongs to another organization.');

interface Found {
  organization: string;
  row: ProjectRow | BoardRow | TicketRow | DocumentRow;
}

const find: Record<
  Exclude<keyof Subjects, 'organization'>,
  (state: State, id: string) => Found | undefined
> = {
  project: findProject,
  board: findBoard,
  ticket(state, id) {
    const row = live(state.tickets.get(id));
    const board = row && findBoard(state, row.board_id);
    return row && board && { ...board, row };
  },
  document(state, id) {
    const row = live(state.documents.get(id));
    return row && { organization: row.organization_id, row };
  },
};

function findProject(state: State, id: string): Found | undefined {
  const row = live(state.projects.get(id));
  return row && { organization: row.organization_id, row };
}

function findBoard(state: State, id: string): Found | undefined {
  const row = live(state.boards.get(id));
  const project = row && findProject(state, row.project_id);
  return row && project && { ...project, row };
}

const live = <Row extends { deleted_at: string | null }>(row: Row | undefined): Row | undefined =>
  row?.deleted_at === null ? row : undefined;
