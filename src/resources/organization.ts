import type { Organization } from '../contract/index.js';
import { Resource } from '../http/operation-client.js';
import type { ApiPromise } from '../http/read-response.js';
import type { CallOptions } from '../options.js';

/** The organization the credential belongs to. */
export class Organizations extends Resource {
  /**
   * Gets the organization. Requires the `organization:read` scope.
   *
   * @throws {@link PermissionDeniedError} if the credential belongs to another organization
   */
  get(options?: CallOptions): ApiPromise<Organization> {
    return this.operations.call('organization.get', {}, options);
  }
}
