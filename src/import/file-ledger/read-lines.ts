import { createReadStream } from 'node:fs';

export interface Line {
  text: string;
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
      const line = parts.length ? Buffer.concat([...parts.splice(0), last]) : last;
      end += line.length + 1;
      yield { text: line.toString(), end, complete: true };
      start = at + 1;
    }
    parts.push(chunk.subarray(start));
  }
  yield { text: Buffer.concat(parts).toString(), end, complete: false };
}
