import { DigestTable, shortDigest } from '../digest-table.js';
import { isInDoubt, type LedgerEntry, LedgerError } from '../ledger.js';
import { readLines } from './read-lines.js';

export const header = JSON.stringify({ ledger: 'worktrack', version: 1 });

/**
 * The content of a ledger file. Entries for finished rows take up only a few dozen bytes each, outside the
 * JavaScript heap. All other entries are stored in full.
 */
export class LedgerContent {
  scope: string | undefined;
  /** The number of entry lines in the file. */
  lines = 0;
  readonly open = new Map<string, LedgerEntry>();
  /** Fingerprints by key. */
  readonly #done = new DigestTable();
  /** Digests of keys by record ID. */
  readonly #owners = new DigestTable();

  /** The number of rows with an entry. */
  get rows(): number {
    return this.open.size + this.#done.size;
  }

  get(key: string): LedgerEntry | undefined {
    const fingerprint = this.#done.get(key);
    if (fingerprint === undefined) return this.open.get(key);
    return { key, state: 'done', fingerprint: fingerprint.toString(16).padStart(8, '0') };
  }

  /** Updates the content with a line from the file. */
  add(line: LedgerEntry | { scope: string }): void {
    if ('scope' in line) this.scope = line.scope;
    else this.apply(line);
  }

  apply(entry: LedgerEntry): void {
    this.lines++;
    if (entry.state !== 'done') {
      this.open.set(entry.key, entry);
      return;
    }
    this.open.delete(entry.key);
    this.#done.set(entry.key, Number.parseInt(entry.fingerprint ?? '', 16) || 0);
    if (entry.recordId !== undefined) this.#owners.set(entry.recordId, shortDigest(entry.key));
  }

  isClaimed(recordId: string, key: string): boolean {
    const owner = this.#owners.get(recordId);
    return owner !== undefined && owner !== shortDigest(key);
  }

  inDoubt(group: string): string[] {
    return [...this.open.values()]
      .filter((entry) => entry.group === group && isInDoubt(entry))
      .map(({ key }) => key);
  }
}

/**
 * Reads a ledger file.
 *
 * @returns the content and the file's length, not counting an incomplete last line
 * @throws LedgerError if the file isn't a ledger, or a line before the last one can't be read
 */
export async function readLedger(path: string): Promise<{ content: LedgerContent; length: number }> {
  const content = new LedgerContent();
  let length = 0;
  let number = 0;
  let broken = 0;
  for await (const { text, end, complete } of readLines(path)) {
    number++;
    if (number === 1) {
      // A crash during the first write leaves an incomplete header. A file with any other content isn't a
      // ledger and must not be changed.
      if (text !== header && (complete || !header.startsWith(text))) {
        throw new LedgerError(`${path} isn't an import ledger`);
      }
      length = end;
      continue;
    }
    const line = complete ? parseLine(text) : undefined;
    if (!line) {
      broken ||= number;
      continue;
    }
    // A crash can damage only the last line. If an earlier line is damaged, continuing would create
    // duplicates.
    if (broken)
      throw new LedgerError(`${path} is damaged: line ${broken} can't be read, but later lines can`);
    content.add(line);
    length = end;
  }
  return { content, length };
}

/** Reads the entries in the order they were written. */
export async function* entriesIn(path: string): AsyncGenerator<LedgerEntry, void, undefined> {
  for await (const { text, complete } of readLines(path)) {
    const line = complete ? parseLine(text) : undefined;
    if (line && 'key' in line) yield line;
  }
}

function parseLine(text: string): LedgerEntry | { scope: string } | undefined {
  try {
    const line = JSON.parse(text);
    const isEntry = typeof line.key === 'string' && states.includes(line.state);
    return isEntry || typeof line.scope === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

const states: readonly unknown[] = ['pending', 'started', 'done', 'failed', 'unknown'];
