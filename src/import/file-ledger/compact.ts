import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { entriesIn, header, type LedgerContent } from './content.js';

/** Whether a third of the lines, of enough of them, are of states that rows have left. */
export const isWorthCompacting = ({ lines, rows }: LedgerContent): boolean =>
  lines >= 1000 && lines >= rows * 1.5;

/** Writes the file anew with one line per row, and puts it into the old one's place in one step. */
export async function compact(path: string, content: LedgerContent): Promise<void> {
  const draft = draftOf(path);
  const file = await open(draft, 'w');
  try {
    let text = `${header}\n`;
    if (content.scope !== undefined) text += `${JSON.stringify({ scope: content.scope })}\n`;
    for await (const entry of entriesIn(path)) {
      if (entry.state === 'done') text += `${JSON.stringify(entry)}\n`;
      if (text.length < 1 << 18) continue;
      await file.appendFile(text);
      text = '';
    }
    for (const entry of content.open.values()) text += `${JSON.stringify(entry)}\n`;
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(path);
  content.lines = content.rows;
}

/** Removes what a compaction left that was killed. */
export const removeDraft = (path: string): Promise<void> => rm(draftOf(path), { force: true });

/** Makes sure that a new name survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(dirname(path), 'r');
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows can't open folders, and needs no sync of them.
  }
}

const draftOf = (path: string) => `${path}.compacting`;
