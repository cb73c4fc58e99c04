import {
  defaultPerPage,
  type OperationId,
  type PaginatedId,
  type ParamsOf,
  type ResultOf,
  type SentBodyOf,
  type SentQueryOf,
} from '../../src/contract/index.js';
import type {
  BoardRow,
  CredentialRow,
  DocumentRow,
  OrganizationRow,
  ProjectRow,
  TicketRow,
} from '../state/rows.js';
import type { State } from '../state/state.js';

/** The records that the path parameters refer to. */
export interface PathRecords {
  organization: OrganizationRow;
  project: ProjectRow;
  board: BoardRow;
  ticket: TicketRow;
  document: DocumentRow;
}

/** A rule's arguments: the state and a validated request. */
export type Call<Id extends OperationId> = {
  state: State;
  credential: CredentialRow;
  query: SentQueryOf<Id>;
  body: SentBodyOf<Id>;
} & Pick<PathRecords, keyof ParamsOf<Id> & keyof PathRecords>;

/** A page of a list, and the total number of items in the list. */
export interface RulePage<Item> {
  items: Item[];
  total: number;
}

/** A rule's result: a record, a list, or a page if the operation is paginated. */
export type RuleResult<Id extends OperationId> = Id extends PaginatedId
  ? ResultOf<Id> extends readonly (infer Item)[]
    ? RulePage<Item>
    : never
  : ResultOf<Id>;

/**
 * Implements an API operation. Once it has changed the state, it must not throw a {@link RejectedRequest}.
 */
export type Rule<Id extends OperationId> = (call: Call<Id>) => RuleResult<Id>;

export type Rules = { [Id in OperationId]: Rule<Id> };

/** The rules for all operations whose IDs start with the prefix. */
export type RulesOf<Prefix extends string> = Pick<Rules, Extract<OperationId, `${Prefix}.${string}`>>;

/** Returns the range of items that a query requests. */
export function pageOf({
  page = 1,
  per_page = defaultPerPage,
}: {
  page?: number | undefined;
  per_page?: number | undefined;
}): {
  from: number;
  count: number;
} {
  return { from: (page - 1) * per_page, count: per_page };
}
