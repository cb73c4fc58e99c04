import type { Organization } from '../contract/index.js';
import type { ApiPromise, Call } from '../http/call.js';
import type { CallOptions } from '../options.js';

/** The organization that the credential belongs to. */
export class OrganizationResource {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Gets the organization. Scope `organization:read`.
   *
   * @throws PermissionDeniedError where the credential belongs to another organization
   */
  get(options?: CallOptions): ApiPromise<Organization> {
    return this.#call('organization.get', {}, options);
  }
}
