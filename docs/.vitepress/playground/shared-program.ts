/** A program and its data, which a link contains. */
export interface SharedProgram {
  code: string;
  /** The seed data in JSON format. */
  world: string;
}

const prefix = '#program=';

/** Some applications truncate longer links. */
const maxLength = 16_000;

/** A small link can expand to gigabytes, so reading stops at this length. */
const maxBytes = 1_000_000;

/** Whether the fragment of a URL contains a program. */
export const isShared = (hash: string): boolean => hash.startsWith(prefix);

/**
 * Returns the fragment of a URL that contains a program.
 *
 * @throws Error if it's too long
 */
export async function toHash({ code, world }: SharedProgram): Promise<string> {
  const text = new Blob([JSON.stringify({ code, world: JSON.parse(world) })]);
  const bytes = await read(text.stream().pipeThrough(new CompressionStream('deflate-raw')), maxBytes);
  const hash = prefix + base64url(bytes);
  if (hash.length <= maxLength) return hash;
  throw new Error(
    `The program and its data are too long for a link (${hash.length.toLocaleString('en')} of ${maxLength.toLocaleString('en')} characters). Click Export to save the data as a file.`,
  );
}

/**
 * Reads a program from the fragment of a URL. Anyone can write the fragment, so the data still has to be validated.
 *
 * @throws Error if the fragment is damaged
 */
export async function fromHash(hash: string): Promise<SharedProgram> {
  try {
    const base64 = hash.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/');
    const compressed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const { code, world } = JSON.parse(new TextDecoder().decode(await read(stream, maxBytes)));
    if (typeof code === 'string') return { code, world: JSON.stringify(world) ?? '' };
  } catch {
    // The error below reports this case.
  }
  throw new Error("This link is damaged or incomplete, so its program can't be opened.");
}

/** Reads a stream to its end, or throws an error if it's longer than allowed. */
async function read(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > limit) {
      await reader.cancel();
      throw new Error(`longer than ${limit} bytes`);
    }
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** Encodes bytes so that URLs don't escape any character. */
function base64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
