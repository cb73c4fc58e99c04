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

/** The records in the path, by parameter. */
export interface PathRecords {
  organization: OrganizationRow;
  project: ProjectRow;
  board: BoardRow;
  ticket: TicketRow;
  document: DocumentRow;
}

/** The arguments of a rule: a validated request and the state. */
export type Call<Id extends OperationId> = {
  state: State;
  credential: CredentialRow;
  query: SentQueryOf<Id>;
  body: SentBodyOf<Id>;
} & Pick<PathRecords, keyof ParamsOf<Id> & keyof PathRecords>;

/** A page of a list, and the length of the whole list. */
export interface RulePage<Item> {
  items: Item[];
  total: number;
}

/** The result of a rule: a record, a list, or a page if the operation is paginated. */
export type RuleResult<Id extends OperationId> = Id extends PaginatedId
  ? ResultOf<Id> extends readonly (infer Item)[]
    ? RulePage<Item>
    : never
  : ResultOf<Id>;

/**
 * One operation of the API as a function over the state. It may throw an {@link ErrorResponse} only before
 * its first change.
 */
export type Rule<Id extends OperationId> = (call: Call<Id>) => RuleResult<Id>;

export type Rules = { [Id in OperationId]: Rule<Id> };

/** The rules of the operations whose IDs start with the prefix. */
export type RulesOf<Prefix extends string> = Pick<Rules, Extract<OperationId, `${Prefix}.${string}`>>;
