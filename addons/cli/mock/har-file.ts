import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { Journal } from '../../../mock-server/index.js';
import type { JournalEntry } from '../../../mock-server/internal.js';
import { UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { describeFileError } from '../files.js';

/**
 * Writes every request that a server receives to an HTTP Archive, including requests that the journal later
 * drops. Each write replaces the closing brackets, so the file is always complete JSON. Only the owner can
 * read it.
 *
 * @returns a function that stops recording
 * @throws UsageError if the file can't be written
 */
export function recordHar(path: string, journal: Journal, context: CommandContext): () => void {
  const [head = '', tail = ''] = JSON.stringify(journal.harOf([])).split(/(?<="entries":\[)/);
  const file = createFile(path, head + tail);
  let end = head.length;
  let isFirst = true;
  let pending: JournalEntry[] = [];
  let hasFailed = false;
  const write = () => {
    if (pending.length === 0 || hasFailed) return;
    const entries = journal.harOf(pending).log.entries.map((entry) => JSON.stringify(entry));
    pending = [];
    const text = (isFirst ? '\n' : ',\n') + entries.join(',\n');
    isFirst = false;
    try {
      end = writeAll(file, text + tail, end) - tail.length;
    } catch (error) {
      hasFailed = true;
      context.printError(
        `--har: could not write ${path}: ${describeFileError(error)}; recording has stopped`,
      );
      // The file already contained these brackets, so they fit even if the disk is full.
      writeAll(file, tail, end);
      ftruncateSync(file, end + tail.length);
    }
  };
  const stopObserving = journal.observe({
    finished: (record) => {
      // Write each response as soon as it's complete, because the journal keeps only the latest response
      // bodies.
      if (pending.push(record) >= maxPending) write();
    },
    cleared: write,
  });
  const timer = setInterval(write, 200).unref();
  return () => {
    stopObserving();
    clearInterval(timer);
    write();
    closeSync(file);
  };
}

const maxPending = 10;

/**
 * Writes a string at the given position. If the disk fills up, a single `writeSync` call writes only part of
 * the string.
 *
 * @returns the position after the string
 */
function writeAll(file: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length)
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  return position + written;
}

function createFile(path: string, text: string): number {
  try {
    const file = openSync(path, 'w', 0o600);
    writeAll(file, text, 0);
    return file;
  } catch (error) {
    throw new UsageError(`--har: could not write ${path}: ${describeFileError(error)}`);
  }
}
