/** How credentials are sent, for example `Authorization: Bearer <token>`. The scheme is case-insensitive. */
export interface CredentialWire {
  /** The header name. */
  header: string;
  /** The scheme before the token. Empty if the header contains only the token. */
  scheme: string;
}

export const bearer: CredentialWire = { header: 'authorization', scheme: 'Bearer' };

export const encodeCredential = ({ scheme }: CredentialWire, token: string): string =>
  scheme ? `${scheme} ${token}` : token;

/** @returns the token, or undefined if it is missing or has a different scheme */
export function decodeCredential({ header, scheme }: CredentialWire, headers: Headers): string | undefined {
  const value = headers.get(header);
  if (!value) return undefined;
  if (!scheme) return value;
  const space = value.indexOf(' ');
  return space > 0 && value.slice(0, space).toLowerCase() === scheme.toLowerCase()
    ? value.slice(space + 1).trim()
    : undefined;
}
