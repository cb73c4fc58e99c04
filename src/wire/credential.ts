/** How a credential travels: `Authorization: Bearer <token>`; the scheme is compared without regard to case. */
export interface CredentialWire {
  /** Name of the header. */
  header: string;
  /** Word before the token; empty where the header holds the token alone. */
  scheme: string;
}

export const bearer: CredentialWire = { header: 'authorization', scheme: 'Bearer' };

export const encodeCredential = ({ scheme }: CredentialWire, token: string): string =>
  scheme ? `${scheme} ${token}` : token;

/** @returns the token; undefined where there is none, or where it comes under another scheme */
export function decodeCredential({ header, scheme }: CredentialWire, headers: Headers): string | undefined {
  const value = headers.get(header);
  if (!value) return undefined;
  if (!scheme) return value;
  const space = value.indexOf(' ');
  return space > 0 && value.slice(0, space).toLowerCase() === scheme.toLowerCase()
    ? value.slice(space + 1).trim()
    : undefined;
}
