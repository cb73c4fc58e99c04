import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A line of a file. */
export interface Line {
  bytes: Buffer;
  /** The number of bytes read so far, not counting an incomplete line. */
  end: number;
  /** Whether the line ends with a line break. */
  complete: boolean;
}

/** Reads a file line by line, in constant memory. The last line is incomplete, and usually empty. */
export async function* readLines(path: string): AsyncGenerator<Line, void, undefined> {
  const parts: Buffer[] = [];
  let end = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, at);
      const bytes = parts.length ? Buffer.concat([...parts.splice(0), last]) : last;
      end += bytes.length + 1;
      yield { bytes, end, complete: true };
      start = at + 1;
    }
    parts.push(chunk.subarray(start));
  }
  yield { bytes: Buffer.concat(parts), end, complete: false };
}

/** Ensures that a file created or renamed in the same folder as the path survives a power failure. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows can't open folders and doesn't need to sync them.
  }
}
