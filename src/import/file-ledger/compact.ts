import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { syncFolder } from '../../shared/files.js';
import { LedgerError } from '../ledger.js';
import type { Checkpoint } from './checkpoint.js';
import { doneEntriesIn, firstLines, type LedgerContent } from './content.js';

/** Whether the file is large and at least a third of its lines are outdated. */
export const isWorthCompacting = ({ lines, rows }: LedgerContent): boolean =>
  lines >= 1000 && lines >= rows * 1.5;

/**
 * Rewrites the file with one line per row and replaces the old file atomically.
 *
 * @throws LedgerError if the new file can't be written; the old one is unchanged
 */
export async function compact(
  path: string,
  content: LedgerContent,
  checkpoint: Checkpoint,
  mode: number,
): Promise<void> {
  const draft = draftOf(path);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    // The draft must not exist, because a link in its place could lead to another file.
    const file = await open(draft, 'wx', mode);
    try {
      await file.chmod(mode);
      const write = async (text: string) => {
        hash.update(text);
        bytes += Buffer.byteLength(text);
        await file.appendFile(text);
      };
      let text = firstLines(content);
      for await (const entry of doneEntriesIn(path, content)) {
        text += `${JSON.stringify(entry)}\n`;
        if (text.length < 1 << 18) continue;
        await write(text);
        text = '';
      }
      for (const entry of content.open.values()) text += `${JSON.stringify(entry)}\n`;
      await write(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await checkpoint.replace(hash, bytes, async () => {
      await rename(draft, path);
      await syncFolder(path);
    });
  } catch (cause) {
    await removeDraft(path);
    throw new LedgerError(`${path} can't be compacted: ${(cause as Error).message}`, { cause });
  }
}

/** Removes the temporary file left by an interrupted compaction. */
export const removeDraft = (path: string): Promise<void> => rm(draftOf(path), { force: true });

const draftOf = (path: string) => `${path}.compacting`;
