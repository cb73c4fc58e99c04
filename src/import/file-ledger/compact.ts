import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { entriesIn, header, type LedgerContent } from './content.js';

/** Whether the file is large and at least a third of its lines are outdated. */
export const isWorthCompacting = ({ lines, rows }: LedgerContent): boolean =>
  lines >= 1000 && lines >= rows * 1.5;

/** Rewrites the file with one line per row and replaces the old file atomically. */
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
}

/** Removes the temporary file left by an interrupted compaction. */
export const removeDraft = (path: string): Promise<void> => rm(draftOf(path), { force: true });

/** Ensures that the rename survives a power failure. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows can't open folders and doesn't need to sync them.
  }
}

const draftOf = (path: string) => `${path}.compacting`;
