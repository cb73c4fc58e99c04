import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fileLedger, type Ledger, type LedgerEntry } from 'worktrack/import';
import { AppendLog } from '../../../src/import/file-ledger/append-log.js';

let path: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'tickets.ledger');
});

const started = (key: string): LedgerEntry => ({
  key,
  state: 'started',
  fingerprint: '0000000a',
  group: key,
});

async function fill(ledger: Ledger, count: number) {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await ledger.put(started(`row-${index}`));
      await ledger.claim({ ...started(`row-${index}`), recordId: `tic_${index}` });
    }),
  );
}

async function states(ledger: Ledger, keys: string[]) {
  return Promise.all(keys.map(async (key) => (await ledger.get(key))?.state));
}

describe('a ledger file', () => {
  it("keeps every complete line when it's truncated at any byte", {
    timeout: 60_000,
  }, async () => {
    const ledger = await fileLedger(path);
    await ledger.bind('tickets:prj_1');
    await ledger.put(started('ä"\n1'));
    await ledger.claim({ ...started('ä"\n1'), recordId: 'tic_1' });
    await ledger.put(started('b'));
    await ledger.close();
    const content = await readFile(path);
    const ends = [...content.keys()].filter((at) => content[at] === 10).map((at) => at + 1);
    expect(ends).toHaveLength(5);
    for (let length = 0; length <= content.length; length++) {
      await writeFile(path, content.subarray(0, length));
      const truncated = await fileLedger(path);
      const lines = ends.filter((end) => end <= length).length;
      expect(await states(truncated, ['ä"\n1', 'b']), `cut at ${length}`).toEqual([
        [undefined, undefined, undefined, 'started', 'done', 'done'][lines],
        lines === 5 ? 'started' : undefined,
      ]);
      if (length % 8) {
        await truncated.close();
        continue;
      }
      await truncated.put(started('c'));
      await truncated.close();
      const after = await fileLedger(path);
      expect(await states(after, ['c'])).toEqual(['started']);
      await after.close();
    }
  });

  it('drops trailing garbage, such as zeros after a power failure', async () => {
    const ledger = await fileLedger(path);
    await ledger.put(started('a'));
    await ledger.close();
    await appendFile(path, `${'\0'.repeat(500)}\n\0\0`);
    const reopened = await fileLedger(path);
    await reopened.put(started('b'));
    await reopened.close();
    const last = await fileLedger(path);
    expect(await states(last, ['a', 'b'])).toEqual(['started', 'started']);
    await last.close();
  });

  it('is rejected if damaged in the middle', async () => {
    const ledger = await fileLedger(path);
    await fill(ledger, 3);
    await ledger.close();
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines[2] = '{"key":"row-';
    await writeFile(path, lines.join('\n'));
    await expect(fileLedger(path)).rejects.toThrow("line 3 can't be read, but later lines can");
  });

  it.each(['title,board\nFuel,to-do\n', 'title', '{"ledger":"worktrack","version":2}\n'])(
    "is rejected and left unchanged if it isn't an import ledger: %j",
    async (content) => {
      await writeFile(path, content);
      await expect(fileLedger(path)).rejects.toThrow("isn't an import ledger");
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );
});

describe("a ledger's compaction", () => {
  it("reduces the file to one line per row without losing any row's state", async () => {
    const ledger = await fileLedger(path);
    await ledger.bind('tickets:prj_1');
    await fill(ledger, 1500);
    await ledger.put({ ...started('open'), since: '2026-01-01T00:00:00Z' });
    await ledger.put({ ...started('failed'), state: 'failed', error: { message: 'no' } });
    await ledger.close();
    const before = (await stat(path)).size;
    // An interrupted compaction leaves this temporary file behind.
    await writeFile(`${path}.compacting`, 'half');
    const reopened = await fileLedger(path);
    expect((await stat(path)).size).toBeLessThan(before * 0.6);
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(1500 + 4);
    expect(await states(reopened, ['row-0', 'row-1499', 'open', 'failed', 'row-1500'])).toEqual([
      'done',
      'done',
      'started',
      'failed',
      undefined,
    ]);
    expect([
      reopened.isClaimed('tic_7', 'row-8'),
      reopened.isClaimed('tic_7', 'row-7'),
      reopened.since,
    ]).toEqual([true, false, '2026-01-01T00:00:00Z']);
    await expect(reopened.bind('tickets:prj_2')).rejects.toThrow('use another ledger');
    await reopened.put(started('row-1500'));
    await reopened.close();
    const last = await fileLedger(path);
    expect(await states(last, ['row-1500', 'row-3'])).toEqual(['started', 'done']);
    await last.close();
    expect(await readdir(join(path, '..'))).toEqual(['tickets.ledger']);
  });
});

describe("a ledger's lock", () => {
  it('prevents the same process from opening a second ledger until the first is closed', async () => {
    const ledger = await fileLedger(path);
    await expect(fileLedger(path)).rejects.toMatchObject({
      name: 'LedgerError',
      message: expect.stringContaining(`is in use by process ${process.pid}`),
    });
    await ledger.close();
    await (await fileLedger(path)).close();
  });

  it('lets only one of several concurrent callers open the ledger', async () => {
    // The process that owned the lock has exited, so every caller tries to replace the lock.
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await writeFile(`${path}.lock`, JSON.stringify({ pid, host: hostname(), id: 'gone' }));
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => fileLedger(path)));
    const opened = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(opened).toHaveLength(1);
    await opened[0]?.close();
    await (await fileLedger(path)).close();
  });

  it("isn't replaced if it was created on another machine", async () => {
    await writeFile(`${path}.lock`, JSON.stringify({ pid: 1, host: 'elsewhere', id: 'x' }));
    await expect(fileLedger(path)).rejects.toThrow(
      'process 1 on elsewhere; if that process is no longer running',
    );
  });

  it('is replaced if the process ID has been reused by another process', async () => {
    await writeFile(
      `${path}.lock`,
      JSON.stringify({ pid: process.ppid, host: hostname(), started: '1', id: 'x' }),
    );
    if (process.platform === 'linux') await (await fileLedger(path)).close();
  });
});

describe('AppendLog', () => {
  it('rejects all writes after a write fails', async () => {
    const written: string[] = [];
    const file = {
      async appendFile(text: string) {
        if (written.length) throw new Error('ENOSPC: no space left on device');
        written.push(text);
      },
      datasync: async () => {},
      close: async () => {},
    };
    const log = new AppendLog(file as never, 'tickets.ledger');
    await log.append('one');
    const failed = log.append('two');
    await expect(failed).rejects.toThrow("tickets.ledger can't be written: ENOSPC");
    await expect(log.append('three')).rejects.toThrow('ENOSPC');
    await expect(log.flush()).rejects.toThrow('ENOSPC');
    await expect(log.close()).rejects.toThrow('ENOSPC');
    expect(written).toEqual(['one\n']);
  });

  it('batches lines appended during a sync', async () => {
    const written: string[] = [];
    let synced = 0;
    const file = {
      appendFile: async (text: string) => void written.push(text),
      datasync: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        synced++;
      },
      close: async () => {},
    };
    const log = new AppendLog(file as never, 'tickets.ledger');
    await Promise.all(Array.from({ length: 100 }, (_, index) => log.append(`${index}`)));
    expect(written.join('').split('\n')).toHaveLength(101);
    expect(synced).toBe(2);
  });
});
