import { createReadStream } from 'node:fs';

/** A line in a file, and the offset of the byte after it. */
export interface Line {
  text: string;
  end: number;
  /** Whether the line ends with a line break. It is false only for an incomplete last line. */
  complete: boolean;
}

/** Reads a file line by line, in constant memory. */
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
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(parts);
  if (rest.length) yield { text: rest.toString(), end: end + rest.length, complete: false };
}
