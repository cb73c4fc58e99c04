/** How a credential is sent: `Authorization: Bearer <token>`. The scheme is compared ignoring case. */
export interface CredentialWire {
  /** The name of the header. */
  header: string;
  /** The word before the token. Empty if the header contains only the token. */
  scheme: string;
}

export const bearer: CredentialWire = { header: 'authorization', scheme: 'Bearer' };

export const encodeCredential = ({ scheme }: CredentialWire, token: string): string =>
  scheme ? `${scheme} ${token}` : token;

/** @returns the token; undefined if there is none, or if it has another scheme */
export function decodeCredential({ header, scheme }: CredentialWire, headers: Headers): string | undefined {
  const value = headers.get(header);
  if (!value) return undefined;
  if (!scheme) return value;
  const space = value.indexOf(' ');
  return space > 0 && value.slice(0, space).toLowerCase() === scheme.toLowerCase()
    ? value.slice(space + 1).trim()
    : undefined;
}
