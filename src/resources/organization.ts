import type { Organization } from '../contract/index.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { CallOptions } from '../options.js';
import { Resource } from './resource.js';

/** The organization the credential belongs to. */
export class OrganizationResource extends Resource {
  /**
   * Gets the organization. Scope `organization:read`.
   *
   * @throws {@link PermissionDeniedError} if the credential belongs to another organization
   */
  get(options?: CallOptions): ApiPromise<Organization> {
    return this.call('organization.get', {}, options);
  }
}
