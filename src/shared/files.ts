import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
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

/**
 * Writes a file that is renamed afterward, and syncs it. If an interrupted call left the file behind, it's replaced.
 *
 * @throws an error if the file is created in the meantime, because a link in its place could lead to another file
 */
export async function writeDraft(
  path: string,
  mode: number,
  texts: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', mode);
  try {
    // The process may mask some of the mode's bits.
    await file.chmod(mode);
    let pending = '';
    for await (const text of texts) {
      pending += text;
      if (pending.length < 1 << 18) continue;
      await file.appendFile(pending);
      pending = '';
    }
    await file.appendFile(pending);
    await file.sync();
  } finally {
    await file.close();
  }
}
