import { createHash } from 'node:crypto';
import { readLines, replaceFile } from '../../../../src/shared/files.js';
import { parseJson } from '../../../../src/shared/json.js';
import { DigestTable, shortDigest } from '../digest-table.js';
import { InDoubtRows, LedgerError } from '../ledger.js';
import { type LedgerEntry, parseEntry } from '../ledger-entry.js';
import type { Checkpoint } from './checkpoint.js';

const header = JSON.stringify({ ledger: 'worktrack', version: 1 });

/** Additional data stored with a ledger. */
export type LedgerMetadata = Record<string, unknown>;

type LedgerLine = LedgerEntry | { scope: string } | { metadata: LedgerMetadata };

/** Returns the lines that precede a ledger's entries. */
export function firstLines({ scope, metadata }: Pick<LedgerContent, 'scope' | 'metadata'>): string {
  const lines = [...(scope === undefined ? [] : [{ scope }]), ...(metadata ? [{ metadata }] : [])];
  return [header, ...lines.map((line) => JSON.stringify(line)), ''].join('\n');
}

/**
 * The contents of a ledger file. An entry for a finished row takes up only a few dozen bytes, outside the
 * JavaScript heap. All other entries are kept in full.
 */
export class LedgerContent {
  scope: string | undefined;
  metadata: LedgerMetadata | undefined;
  /** The number of entry lines in the file. */
  lines = 0;
  readonly open = new Map<string, LedgerEntry>();
  readonly inDoubt = new InDoubtRows();
  /** Fingerprints by key. */
  readonly #done = new DigestTable();
  /**
   * For each row with several `done` entries, the line number of the latest one, or 0 if a later
   * entry has another state.
   */
  readonly #latest = new Map<string, number>();
  /** Maps record IDs to key digests. */
  readonly #owners = new DigestTable();

  get rows(): number {
    return this.open.size + this.#done.size;
  }

  get(key: string): LedgerEntry | undefined {
    const fingerprint = this.#done.get(key);
    if (fingerprint === undefined || this.open.has(key)) return this.open.get(key);
    return { key, state: 'done', fingerprint: fingerprint.toString(16).padStart(8, '0') };
  }

  /** Updates the content with a line from the file. */
  add(line: LedgerLine): void {
    if ('scope' in line) this.scope = line.scope;
    else if ('metadata' in line) this.metadata = line.metadata;
    else this.apply(line);
  }

  apply(entry: LedgerEntry): void {
    this.lines++;
    this.inDoubt.replace(this.open.get(entry.key), entry);
    if (entry.state !== 'done') {
      this.open.set(entry.key, entry);
      if (this.#done.get(entry.key) !== undefined) this.#latest.set(entry.key, 0);
      return;
    }
    this.open.delete(entry.key);
    if (this.#done.get(entry.key) !== undefined) this.#latest.set(entry.key, this.lines);
    this.#done.set(entry.key, Number.parseInt(entry.fingerprint ?? '', 16) || 0);
    if (entry.recordId !== undefined) this.#owners.set(entry.recordId, shortDigest(entry.key));
  }

  /** Whether the entry on a line was replaced by a later entry. */
  isOutdated(key: string, line: number): boolean {
    return (this.#latest.get(key) ?? line) !== line;
  }

  isClaimed(recordId: string, key: string): boolean {
    const owner = this.#owners.get(recordId);
    return owner !== undefined && owner !== shortDigest(key);
  }
}

/**
 * Reads a ledger file.
 *
 * @returns the content and the file's length, not counting an incomplete last line
 * @throws LedgerError if the file isn't a ledger, a line can't be read, or lines are missing
 */
export async function readLedger(
  path: string,
  checkpoint: Pick<Checkpoint, 'add'>,
): Promise<{ content: LedgerContent; length: number }> {
  const content = new LedgerContent();
  let length = 0;
  let number = 0;
  let broken = 0;
  for await (const { bytes, end, complete } of readLines(path)) {
    number++;
    const text = bytes.toString();
    const isHeader = number === 1;
    // A crash during the first write leaves an incomplete header. A file with any other content isn't a
    // ledger, so it must not be changed.
    if (isHeader && text !== header && (complete || !header.startsWith(text))) {
      throw new LedgerError(`${path} isn't an import ledger`);
    }
    const line = complete && !isHeader ? parseLine(path, text, number) : undefined;
    if (!complete || !(line || isHeader)) {
      broken ||= number;
      continue;
    }
    // A crash can damage only the last line. If an earlier line is damaged, entries are lost, and continuing
    // would create duplicates.
    if (broken)
      throw new LedgerError(
        `${path} is damaged: line ${broken} can't be read, but later lines can; restore it from a backup`,
      );
    if (line) content.add(line);
    checkpoint.add(bytes);
    checkpoint.add('\n');
    length = end;
  }
  return { content, length };
}

/** Reads the latest entries of the done rows in the order they were written. */
export async function* doneEntriesIn(
  path: string,
  content: LedgerContent,
): AsyncGenerator<LedgerEntry, void, undefined> {
  let number = 0;
  let entries = 0;
  for await (const { bytes, complete } of readLines(path)) {
    const line = complete ? parseLine(path, bytes.toString(), ++number) : undefined;
    if (!line || !('key' in line)) continue;
    entries++;
    if (line.state === 'done' && !content.isOutdated(line.key, entries)) yield line;
  }
}

/**
 * @returns undefined if the line isn't valid JSON, for example because it was only partially written
 * @throws LedgerError if the line is valid JSON but isn't part of a ledger
 */
function parseLine(path: string, text: string, number: number): LedgerLine | undefined {
  const line = parseJson(text, () => undefined);
  if (line === undefined) return undefined;
  const { scope, metadata, ledger } = Object(line) as Record<string, unknown>;
  if (typeof scope === 'string' || typeof metadata === 'object') return line as LedgerLine;
  const entry = parseEntry(line);
  if (entry || ledger !== undefined) return entry;
  throw new LedgerError(`${path} is damaged: line ${number} isn't a ledger entry; restore it from a backup`);
}

/** Whether the file is large and at least a third of its lines are outdated. */
export const isWorthCompacting = ({ lines, rows }: LedgerContent): boolean =>
  lines >= 1000 && lines >= rows * 1.5;

/**
 * Rewrites the file with one line per row and replaces the old file atomically.
 *
 * @throws LedgerError if the new file can't be written; the old file is unchanged
 */
export async function compact(
  path: string,
  content: LedgerContent,
  checkpoint: Checkpoint,
  mode: number,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* lines() {
    for await (const text of linesOf(path, content)) {
      hash.update(text);
      bytes += Buffer.byteLength(text);
      yield text;
    }
  }
  try {
    await replaceFile(path, lines(), { mode, beforeRename: () => checkpoint.expect(hash, bytes) });
    await checkpoint.replace(hash, bytes);
  } catch (cause) {
    throw new LedgerError(`${path} can't be compacted: ${(cause as Error).message}`, { cause });
  }
}

async function* linesOf(path: string, content: LedgerContent): AsyncGenerator<string, void, undefined> {
  yield firstLines(content);
  for await (const entry of doneEntriesIn(path, content)) yield `${JSON.stringify(entry)}\n`;
  for (const entry of content.open.values()) yield `${JSON.stringify(entry)}\n`;
}
