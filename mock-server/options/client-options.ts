import type { WireFormat } from '../../src/wire/index.js';
import { InvalidInputError } from '../state/invalid-input-error.js';
import type { State } from '../state/state.js';

/** Client options for a mock server. */
export interface MockClientOptions {
  baseUrl: string;
  token: string;
  organization: string;
  /**
   * Makes the client throw an error if a response doesn't match the contract. If you set the `deployment`
   * option, the client only logs a warning, because the deployment may omit fields.
   */
  responseValidation: 'throw' | 'warn';
  /** Set to true if the seed data or the deployment specifies a default board for new tickets. */
  defaultBoard?: true;
  /** The deployment's wire format. Set if the server has the `deployment` option. */
  wire?: WireFormat;
}

/** Selects the credential and the organization. */
export interface ClientChoice {
  token?: string;
  organization?: string;
}

/**
 * Returns the options that a client needs to call a server with this state.
 *
 * @throws TypeError if no credential matches
 */
export function clientOptions(
  state: State,
  { baseUrl, wire, token, organization }: { baseUrl: string; wire: WireFormat | undefined } & ClientChoice,
): MockClientOptions {
  const credential =
    token === undefined
      ? [...state.credentials.values()].find(
          ({ organization_id }) => organization === undefined || organization_id === organization,
        )
      : state.credentials.get(token);
  if (!credential) {
    const which = token ?? organization;
    throw new InvalidInputError(
      `The server has no credential${which === undefined ? '' : ` for ${JSON.stringify(which)}`}. Add one to the seed data or with mock.credentials.add().`,
    );
  }
  return {
    baseUrl,
    token: credential.token,
    organization: organization ?? credential.organization_id,
    ...(wire ? { responseValidation: 'warn', wire } : { responseValidation: 'throw' }),
    ...(state.settings.defaultBoard !== null && { defaultBoard: true }),
  };
}
