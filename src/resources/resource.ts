import type { OperationId, PaginatedId, ResultOf } from '../contract/index.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { Caller, CallInput } from '../http/caller.js';
import type { StoredRecord } from '../http/find-or-create.js';
import type { PageList } from '../http/pagination.js';
import type { CallOptions, ListOptions } from '../options.js';

/** The base class of all resources. */
export abstract class Resource {
  readonly #caller: Caller;

  /** @internal */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @internal */
  protected call<Id extends OperationId>(
    operation: Id,
    input: CallInput<Id>,
    options?: CallOptions,
  ): ApiPromise<ResultOf<Id>> {
    return this.#caller.call(operation, input, options);
  }

  /** @internal */
  protected findOrCreateRecord<Item extends StoredRecord>(
    ...input: Parameters<typeof Caller.prototype.findOrCreate<Item>>
  ): Promise<Item> {
    return this.#caller.findOrCreate(...input);
  }

  /** @internal */
  protected paginate<Id extends PaginatedId>(
    operation: Id,
    input: CallInput<Id>,
    options?: ListOptions,
  ): PageList<ResultOf<Id>[number]> {
    return this.#caller.list(operation, input, options);
  }
}
