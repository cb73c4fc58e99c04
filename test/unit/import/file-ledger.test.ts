import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

/** Lists the files in the ledger's folder. */
const files = async () => (await readdir(dirname(path))).sort();

/** Counts the files in the ledger's folder that this process has open. Always 0 without `/proc`. */
async function countOpenFiles() {
  const folder = '/proc/self/fd';
  const handles = await readdir(folder).catch(() => []);
  const targets = await Promise.all(handles.map((handle) => readlink(join(folder, handle)).catch(() => '')));
  return targets.filter((target) => target.startsWith(dirname(path))).length;
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

  it.each(['{"key":"row-', '{"key":"row-1","state":"lost"}', '{"state":"done"}', '{}', '5', 'null', ''])(
    'is rejected if damaged in the middle: %j',
    async (line) => {
      const ledger = await fileLedger(path);
      await fill(ledger, 3);
      await ledger.close();
      const lines = (await readFile(path, 'utf8')).split('\n');
      lines[2] = line;
      await writeFile(path, lines.join('\n'));
      await expect(fileLedger(path)).rejects.toThrow("line 3 can't be read, but later lines can");
      expect(await files()).toEqual(['tickets.ledger']);
      expect(await countOpenFiles()).toBe(0);
    },
  );

  it('contains JSON lines, which can be written by other programs', async () => {
    const lines = [
      '{"ledger":"worktrack","version":1}',
      '{"scope":"tickets:prj_1"}',
      '{"key":"a","state":"done"}',
      '{"key":"b","state":"failed"}',
    ];
    await writeFile(path, `${lines.join('\n')}\n`);
    const ledger = await fileLedger(path);
    expect(await ledger.get('a')).toEqual({ key: 'a', state: 'done', fingerprint: '00000000' });
    await ledger.put(started('b'));
    await ledger.claim({ key: 'a', state: 'done', recordId: 'tic_1', fingerprint: '0000000a' });
    await ledger.close();
    expect((await readFile(path, 'utf8')).split('\n')).toEqual([
      ...lines,
      '{"key":"b","state":"started","fingerprint":"0000000a","group":"b"}',
      '{"key":"a","state":"done","recordId":"tic_1","fingerprint":"0000000a"}',
      '',
    ]);
  });

  it.each([-1, 0, 1])('can have lines that end %i bytes after the first 256 KiB', async (offset) => {
    const ledger = await fileLedger(path);
    const line = { key: 'long', state: 'started', group: '' } as const;
    const length = 2 ** 18 + offset - (await stat(path)).size - JSON.stringify(line).length - 1;
    await ledger.put({ ...line, group: 'x'.repeat(length) });
    expect((await stat(path)).size).toBe(2 ** 18 + offset);
    await ledger.put(started('b'));
    await ledger.put(started('c'));
    await ledger.close();
    const reopened = await fileLedger(path);
    expect(await states(reopened, ['long', 'b', 'c'])).toEqual(['started', 'started', 'started']);
    await reopened.close();
  });

  it('contains all claimed rows after a flush', async () => {
    const ledger = await fileLedger(path);
    for (let index = 0; index < 500; index++) {
      await ledger.claim({ ...started(`row-${index}`), recordId: `tic_${index}` });
    }
    await ledger.flush();
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(501);
    await ledger.close();
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

it('deletes the temporary file of an interrupted compaction, even if there is nothing to compact', async () => {
  await writeFile(`${path}.compacting`, 'half');
  await (await fileLedger(path)).close();
  expect(await files()).toEqual(['tickets.ledger']);
});

it('rejects entries after the ledger is closed', async () => {
  const ledger = await fileLedger(path);
  await ledger.close();
  await expect(ledger.put(started('a'))).rejects.toMatchObject({
    name: 'LedgerError',
    message: `${path} is closed`,
  });
});

describe("a ledger's compaction", () => {
  it.each([
    { lines: 999, rows: 1, done: 0, compacted: false },
    { lines: 1000, rows: 1, done: 0, compacted: true },
    { lines: 1499, rows: 1000, done: 0, compacted: false },
    { lines: 1499, rows: 1000, done: 400, compacted: false },
    { lines: 1500, rows: 1000, done: 400, compacted: true },
  ])(
    'runs only for at least 1000 lines, a third of them outdated: $lines lines, $rows rows, $done done',
    async ({ lines, rows, done, compacted }) => {
      const ledger = await fileLedger(path);
      await Promise.all(
        Array.from({ length: lines - done }, (_, line) => ledger.put(started(`row-${line % rows}`))),
      );
      for (let row = 0; row < done; row++) {
        await ledger.claim({ ...started(`row-${row}`), recordId: `tic_${row}` });
      }
      await ledger.close();
      await (await fileLedger(path)).close();
      const after = (await readFile(path, 'utf8')).trim().split('\n').slice(1);
      expect(after).toHaveLength(compacted ? rows : lines);
    },
  );

  it("reduces the file to one line per row without losing any row's state", async () => {
    const ledger = await fileLedger(path);
    await ledger.bind('tickets:prj_1');
    await fill(ledger, 3000);
    await ledger.put({ ...started('open'), since: '2026-01-01T00:00:00Z' });
    await ledger.put({ ...started('failed'), state: 'failed', error: { message: 'no' } });
    await ledger.close();
    const before = (await stat(path)).size;
    // An interrupted compaction leaves this temporary file.
    await writeFile(`${path}.compacting`, 'half');
    const reopened = await fileLedger(path);
    // Windows and macOS have no `/proc`.
    if (process.platform === 'linux') expect(await countOpenFiles()).toBe(1);
    expect((await stat(path)).size).toBeLessThan(before * 0.6);
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(3000 + 4);
    expect(await states(reopened, ['row-0', 'row-2999', 'open', 'failed', 'row-3000'])).toEqual([
      'done',
      'done',
      'started',
      'failed',
      undefined,
    ]);
    expect([reopened.isClaimed('tic_7', 'row-8'), reopened.isClaimed('tic_7', 'row-7')]).toEqual([
      true,
      false,
    ]);
    await expect(reopened.bind('tickets:prj_2')).rejects.toThrow('use another ledger');
    await reopened.put(started('row-3000'));
    await reopened.close();
    const last = await fileLedger(path);
    expect(await states(last, ['row-3000', 'row-3'])).toEqual(['started', 'done']);
    await last.close();
    expect(await files()).toEqual(['tickets.ledger']);
    expect(await countOpenFiles()).toBe(0);
  });
});

describe("a ledger's lock", () => {
  it('prevents the same process from opening a second ledger until the first is closed', async () => {
    const ledger = await fileLedger(path);
    await expect(fileLedger(path)).rejects.toMatchObject({
      name: 'LedgerError',
      message: `${path} is in use by process ${process.pid} on ${hostname()}`,
    });
    expect(await files()).toEqual(['tickets.ledger', 'tickets.ledger.lock']);
    await ledger.close();
    await (await fileLedger(path)).close();
  });

  it('prevents other code from opening the ledger through a symbolic link', async () => {
    const link = join(dirname(path), 'link.ledger');
    await symlink(path, link);
    const ledger = await fileLedger(link);
    await expect(fileLedger(path)).rejects.toThrow(`${path} is in use by process`);
    await ledger.close();
  });

  it('keeps a symbolic link when it compacts the ledger', async () => {
    const link = join(dirname(path), 'link.ledger');
    await symlink(path, link);
    const ledger = await fileLedger(link);
    await fill(ledger, 600);
    await ledger.close();
    const before = (await stat(path)).size;

    await (await fileLedger(link)).close();

    expect((await stat(path)).size).toBeLessThan(before);
    expect(await readlink(link)).toBe(path);
  });

  it('rejects writes without changing the file after another process took over the ledger', async () => {
    const ledger = await fileLedger(path);
    await ledger.put(started('row-0'));
    const before = await readFile(path, 'utf8');
    const [own = ''] = await readdir(`${path}.lock`);
    await rename(join(`${path}.lock`, own), join(`${path}.lock`, '0f8fad5b-d9cb-469f-a165-70867728950e'));

    await expect(ledger.put(started('row-1'))).rejects.toMatchObject({
      name: 'LedgerError',
      message: `${path} can't be written: the lock on ${path} was lost: while this process was paused, another process took it over`,
    });
    await expect(ledger.close()).rejects.toThrow('was lost');
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await files()).toEqual(['tickets.ledger', 'tickets.ledger.lock']);
  });
});

describe('AppendLog', () => {
  it('rejects all writes after a write fails', async () => {
    const written: string[] = [];
    const file = {
      async appendFile(text: string) {
        written.push(text);
        if (text === 'two\n') throw new Error('ENOSPC: no space left on device');
      },
      datasync: async () => {},
      close: async () => {},
    };
    const log = new AppendLog(file as never, 'tickets.ledger', () => {});
    await log.append('one');
    const failed = log.append('two');
    const queued = log.append('three');
    await expect(failed).rejects.toMatchObject({
      name: 'LedgerError',
      message: "tickets.ledger can't be written: ENOSPC: no space left on device",
      cause: { message: 'ENOSPC: no space left on device' },
    });
    await expect(queued).rejects.toThrow('ENOSPC');
    await expect(log.append('four')).rejects.toThrow('ENOSPC');
    await expect(log.flush()).rejects.toThrow('ENOSPC');
    await expect(log.close()).rejects.toThrow('ENOSPC');
    expect(written).toEqual(['one\n', 'two\n']);
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
    const log = new AppendLog(file as never, 'tickets.ledger', () => {});
    await Promise.all(Array.from({ length: 100 }, (_, index) => log.append(`${index}`)));
    expect(written.join('').split('\n')).toHaveLength(101);
    expect(synced).toBe(2);
  });
});
