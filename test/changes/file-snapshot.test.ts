import { randomUUID } from 'node:crypto';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSnapshot, type SnapshotEntry, SnapshotError } from 'worktrack/jobs';
import { temporaryFolder } from '../support/temporary-folder.js';

async function newPath(): Promise<string> {
  const folder = await temporaryFolder();
  return join(folder, 'changes.ndjson');
}

async function contentOf(path: string): Promise<string[]> {
  const snapshot = fileSnapshot(path);
  try {
    return [...(await snapshot.read())].map(({ scope, id, value }) => `${scope} ${id} ${value}`).sort();
  } finally {
    await snapshot.close();
  }
}

const entry = (id: string, value: string | undefined = 'x', scope = 'ticket:p'): SnapshotEntry => ({
  scope,
  id,
  value,
});

describe('fileSnapshot', () => {
  it('never reads only some of the entries in a write, no matter where the file is truncated', async () => {
    const path = await newPath();
    const snapshot = fileSnapshot(path);
    await snapshot.write(Array.from({ length: 1001 }, (_, index) => entry(`r${index}`)));
    await snapshot.write([entry('a', '1'), entry('b', '1')]);
    await snapshot.write([entry('a', '2'), entry('b', '2')]);
    await snapshot.close();
    const full = await readFile(path);
    const base = full.indexOf('[["ticket:p","a"');
    for (let length = full.length; length > base; length -= 3) {
      await writeFile(path, full.subarray(0, length));
      const values = (await contentOf(path))
        .filter((line) => /p [ab] /.test(line))
        .map((line) => line.at(-1));
      expect(['', '1,1', '2,2']).toContain(values.join());
    }
    for (const length of [base - 1, base - 100, 100, 20, 0]) {
      await writeFile(path, full.subarray(0, length));
      await expect(contentOf(path), `cut at ${length}`).rejects.toThrow(SnapshotError);
    }
  });

  it('deletes the temporary files of killed processes when it opens the file', async () => {
    const path = await newPath();
    await writeFile(`${path}.${randomUUID()}.tmp`, 'half');
    await contentOf(path);
    expect(await readdir(dirname(path))).toEqual([basename(path)]);
  });

  it('reports how many records were lost if the file is truncated', async () => {
    const path = await newPath();
    const snapshot = fileSnapshot(path);
    await snapshot.write(Array.from({ length: 1500 }, (_, index) => entry(`r${index}`)));
    await snapshot.close();
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, `${lines.slice(0, 1401).join('\n')}\n`);
    await expect(contentOf(path)).rejects.toThrow(
      `${path} is truncated: it has 1400 of 1500 records; delete it to start from a new baseline`,
    );
    await truncate(path);
    await expect(contentOf(path)).rejects.toThrow(`${path} is empty`);
  });

  it("rejects a file that isn't a snapshot or contains damaged lines, and doesn't modify it", async () => {
    const path = await newPath();
    await writeFile(path, 'my notes\n');
    await expect(contentOf(path)).rejects.toThrow(`${path} isn't a snapshot`);
    expect(await readFile(path, 'utf8')).toBe('my notes\n');
    await writeFile(path, '{"snapshot":"worktrack","version":1,"records":0}\n[["a"]]\n');
    await expect(contentOf(path)).rejects.toThrow(`${path} is damaged: line 2 can't be read`);
  });

  it("keeps the file's size proportional to the number of records, not to the number of writes", async () => {
    const path = await newPath();
    for (let run = 0; run < 2; run++) {
      const snapshot = fileSnapshot(path);
      for (let round = 0; round < 750; round++) {
        await snapshot.write([entry(`r${round % 10}`, `${run * 750 + round}`)]);
      }
      await snapshot.close();
    }
    expect((await readFile(path, 'utf8')).split('\n').length).toBeLessThan(1100);
    expect(await contentOf(path)).toContain('ticket:p r9 1499');
  });

  it('stores all writes even if some are made while the file is being rewritten', async () => {
    const path = await newPath();
    const snapshot = fileSnapshot(path);
    const rewritten = Array.from({ length: 1001 }, (_, index) => entry(`r${index}`));
    await Promise.all([rewritten, [entry('a')], rewritten, [entry('b')]].map(snapshot.write));
    await snapshot.close();
    const content = await contentOf(path);
    expect(content).toHaveLength(1003);
    expect(content.slice(0, 2)).toEqual(['ticket:p a x', 'ticket:p b x']);
  });

  it("locks the file while it's open, even if it's opened through a different path", async () => {
    const path = await newPath();
    const snapshot = fileSnapshot(path);
    await snapshot.read();
    const other = fileSnapshot(join(path, '..', '.', 'changes.ndjson'));
    await expect(other.read()).rejects.toThrow('is in use by');
    await snapshot.close();
    await expect(snapshot.read()).rejects.toThrow('is closed');
    expect([...(await other.read())]).toEqual([]);
    await other.close();
    expect(await contentOf(path)).toEqual([]);
  });
});
