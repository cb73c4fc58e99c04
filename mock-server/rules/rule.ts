import type {
  OperationId,
  PaginatedId,
  ParamsOf,
  ResultOf,
  SentBodyOf,
  SentQueryOf,
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

/** The records that path parameters name, by the parameter. */
export interface PathRecords {
  organization: OrganizationRow;
  project: ProjectRow;
  board: BoardRow;
  ticket: TicketRow;
  document: DocumentRow;
}

/** What a rule is given: who asks, for what, and the state to answer from. Everything is validated. */
export type Call<Id extends OperationId> = {
  state: State;
  credential: CredentialRow;
  query: SentQueryOf<Id>;
  body: SentBodyOf<Id>;
} & Pick<PathRecords, keyof ParamsOf<Id> & keyof PathRecords>;

/** A page of a list, with the length of the whole list. */
export interface RulePage<Item> {
  items: Item[];
  total: number;
}

/** What a rule gives: the record or list of the answer, a page where the operation has pages. */
export type RuleResult<Id extends OperationId> = Id extends PaginatedId
  ? ResultOf<Id> extends readonly (infer Item)[]
    ? RulePage<Item>
    : never
  : ResultOf<Id>;

/**
 * One operation of the API as a function over the state. It throws a {@link ErrorResponse} before it
 * has changed anything, or does not throw.
 */
export type Rule<Id extends OperationId> = (call: Call<Id>) => RuleResult<Id>;

export type Rules = { [Id in OperationId]: Rule<Id> };

/** The rules of the operations whose ids begin with one of the prefixes. */
export type RulesOf<Prefix extends string> = Pick<Rules, Extract<OperationId, `${Prefix}.${string}`>>;
