import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What an import has begun and finished, in a file that outlives the program. */
export interface Journal {
  /** Stands for the imported file's content. */
  readonly fingerprint: string;
  /** Rows whose ticket may exist. */
  readonly begun: ReadonlySet<number>;
  /** Rows whose ticket exists. */
  readonly done: ReadonlySet<number>;
  begin(row: number): void;
  finish(row: number): void;
}

/**
 * Opens the journal of an import, or begins it.
 *
 * @throws Error where it is the journal of another file
 */
export function openJournal(path: string, content: string): Journal {
  const fingerprint = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const begun = new Set<number>();
  const done = new Set<number>();
  const write = (line: string) => appendFileSync(path, `${line}\n`);
  // A program that is killed can leave half a line, which must not become another one.
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1) || `file ${fingerprint}\n`;
  if (whole !== text) writeFileSync(path, whole);
  const [head, ...lines] = whole.split('\n');
  if (head !== `file ${fingerprint}`) {
    throw new Error(
      `${path} belongs to another file, or the file has changed since; delete it to begin anew`,
    );
  }
  for (const line of lines) {
    const [what, row] = line.split(' ');
    if (what === 'begin') begun.add(Number(row));
    if (what === 'done') done.add(Number(row));
  }
  return {
    fingerprint,
    begun,
    done,
    begin: (row) => write(`begin ${row}`),
    finish: (row) => write(`done ${row}`),
  };
}
