import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs, {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type FileLedger, fileLedger, type Ledger, type LedgerEntry } from 'worktrack/jobs';
import { AppendLog } from '../../../addons/jobs/import/file-ledger/append-log.js';
import { posixTest } from '../../support/platforms.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let path: string;
beforeEach(async () => {
  const folder = await temporaryFolder();
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

/** Creates a ledger file with done rows. */
async function create(rows: number, more: (ledger: FileLedger) => unknown = () => {}) {
  const ledger = await fileLedger(path);
  await fill(ledger, rows);
  await more(ledger);
  await ledger.close();
}

const open = async () => {
  const ledger = await fileLedger(path);
  onTestFinished(() => ledger.close().catch(() => {}));
  return ledger;
};

const linesInFile = async () => (await readFile(path, 'utf8')).trim().split('\n');

/** Lists the files in the ledger's folder, except for the checkpoint. */
const files = async () =>
  (await readdir(dirname(path))).filter((name) => name !== 'tickets.ledger.check').sort();

/** Counts the files in the ledger's folder that this process has open. Always returns 0 without `/proc`. */
async function countOpenFiles() {
  const folder = '/proc/self/fd';
  const handles = await readdir(folder).catch(() => []);
  const targets = await Promise.all(handles.map((handle) => readlink(join(folder, handle)).catch(() => '')));
  // The lock file is open only while the heartbeat is being written.
  const isLock = (target: string) => target.includes('.lock/');
  return targets.filter((target) => target.startsWith(dirname(path)) && !isLock(target)).length;
}

const states = (ledger: Ledger, keys: string[]) =>
  Promise.all(keys.map(async (key) => (await ledger.get(key))?.state));

/** Opens the ledger, and returns the states of the rows with the given keys. */
async function storedStates(...keys: string[]) {
  const ledger = await fileLedger(path);
  const found = await states(ledger, keys);
  await ledger.close();
  return found;
}

describe('a ledger file', () => {
  it('still contains every complete line, no matter where the file is truncated', {
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
    const isNearEnd = (length: number) => ends.some((end) => Math.abs(end - length) <= 2);
    for (let length = 0; length <= content.length; length++) {
      // In the middle of a line, it only makes a difference whether a character is cut in half.
      if (length % 8 && !isNearEnd(length) && (content[length] ?? 0) < 128) continue;
      await writeFile(path, content.subarray(0, length));
      await rm(`${path}.check`, { force: true });
      const truncated = await fileLedger(path);
      const lines = ends.filter((end) => end <= length).length;
      expect(await states(truncated, ['ä"\n1', 'b']), `cut at ${length}`).toEqual([
        [undefined, undefined, undefined, 'started', 'done', 'done'][lines],
        lines === 5 ? 'started' : undefined,
      ]);
      if (length % 4) {
        await truncated.close();
        continue;
      }
      await truncated.put(started('c'));
      await truncated.close();
      expect(await storedStates('c')).toEqual(['started']);
    }
  });

  it('drops garbage at its end, such as zeros after a power failure', async () => {
    await create(1);
    await appendFile(path, `${'\0'.repeat(500)}\n\0\0`);
    await create(0, (ledger) => ledger.put(started('b')));
    expect(await storedStates('row-0', 'b')).toEqual(['done', 'started']);
  });

  it.each([
    ['{"key":"row-', "line 3 can't be read, but later lines can; restore it from a backup"],
    ['', "line 3 can't be read, but later lines can; restore it from a backup"],
    ...[
      '{"key":"row-1","state":"lost"}',
      '{"key":"row-1","state":"done","recordId":5}',
      '{"key":"row-1","state":"started","fingerprint":7}',
      '{"key":"row-1","state":"started","baseline":"tic_1"}',
      '{"key":"row-1","state":"failed","error":{}}',
      '{"key":"row-1","state":"done","recordId":"t","fields":{"title":5}}',
      '{"state":"done"}',
      '{}',
      '5',
      'null',
    ].map((line) => [line, "line 3 isn't a ledger entry; restore it from a backup"]),
  ] as [string, string][])("is rejected if it's damaged in the middle: %j", async (line, message) => {
    await create(3);
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines[2] = line;
    await writeFile(path, lines.join('\n'));
    const error = { name: 'LedgerError', message: expect.stringContaining(message) };
    await expect(fileLedger(path)).rejects.toMatchObject(error);
    expect(await files()).toEqual(['tickets.ledger']);
    expect(await countOpenFiles()).toBe(0);
  });

  it('consists of JSON lines that other programs can write', async () => {
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

  it.each([-1, 0, 1])('can contain lines that end near the 256 KiB mark (offset %i)', async (offset) => {
    const ledger = await fileLedger(path);
    const line = { key: 'long', state: 'started', group: '' } as const;
    const length = 2 ** 18 + offset - (await stat(path)).size - JSON.stringify(line).length - 1;
    await ledger.put({ ...line, group: 'x'.repeat(length) });
    expect((await stat(path)).size).toBe(2 ** 18 + offset);
    await ledger.put(started('b'));
    await ledger.put(started('c'));
    await ledger.close();
    expect(await storedStates('long', 'b', 'c')).toEqual(['started', 'started', 'started']);
  });

  it('contains all claimed rows after a flush', async () => {
    const ledger = await open();
    for (let index = 0; index < 500; index++) {
      await ledger.claim({ ...started(`row-${index}`), recordId: `tic_${index}` });
    }
    await ledger.flush();
    expect(await linesInFile()).toHaveLength(501);
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

describe('a ledger that has lost entries', () => {
  /** Creates a ledger, and returns its lines. */
  async function linesOf(rows: number) {
    await create(rows, (ledger) => ledger.bind('tickets:prj_1'));
    return linesInFile();
  }

  const writeLines = (lines: string[]) => writeFile(path, lines.map((line) => `${line}\n`).join(''));

  it.each<[string, (lines: string[]) => string[]]>([
    ['its last line', (lines) => lines.slice(0, -1)],
    ['its last 100 lines', (lines) => lines.slice(0, -100)],
    ['100 lines in the middle', (lines) => [...lines.slice(0, 50), ...lines.slice(150)]],
    ['all lines but the header', (lines) => lines.slice(0, 1)],
    ['all lines', () => []],
    ['lines, but has new ones', (lines) => [...lines.slice(0, 2), ...lines.slice(3), lines[5] as string]],
    ['its order', ([header = '', scope = '', ...lines]) => [header, scope, ...lines.reverse()]],
  ])("is rejected if it's missing %s", async (_, cut) => {
    const lines = await linesOf(100);
    const rest = cut(lines);
    await writeLines(rest);
    const content = await readFile(path, 'utf8');
    const problem = rest.length < lines.length ? 'has lost entries: only' : 'has lost entries or was changed';
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(fileLedger(path)).rejects.toMatchObject({
        name: 'LedgerError',
        message: expect.stringContaining(`${path} ${problem}`),
      });
    }
    expect(await readFile(path, 'utf8')).toBe(content);
    expect(await files()).toEqual(['tickets.ledger']);
  });

  it("is rejected if the file was deleted but its checkpoint wasn't", async () => {
    await linesOf(10);
    await rm(path);
    await expect(fileLedger(path)).rejects.toThrow(`delete ${path}.check to use the ledger as is`);
    await rm(`${path}.check`);
    expect(await storedStates('row-1')).toEqual([undefined]);
  });

  it('is rejected if its checkpoint is damaged', async () => {
    await linesOf(1);
    for (const text of ['{', '{}', '[{"bytes":"1","sha256":""}]', '[5]', 'null']) {
      await writeFile(`${path}.check`, text);
      await expect(fileLedger(path), text).rejects.toThrow('has a damaged checkpoint');
    }
  });

  it('is accepted if the process was killed before it could write the checkpoint', async () => {
    await create(1);
    const checkpoint = await readFile(`${path}.check`);
    await create(0, (ledger) => ledger.put(started('b')));
    await writeFile(`${path}.check`, checkpoint);
    await appendFile(path, '{"key":"c","sta');
    expect(await storedStates('row-0', 'b', 'c')).toEqual(['done', 'started', undefined]);
  });

  it('is accepted if a compaction was killed before or after it replaced the file', async () => {
    await linesOf(1000);
    const [old, oldCheckpoint] = [await readFile(path), await readFile(`${path}.check`)];
    const ledger = await fileLedger(path);
    const both = await readFile(`${path}.check`);
    await ledger.close();
    const compacted = await readFile(path);
    expect(compacted.length).toBeLessThan(old.length);
    // At the moment the file was replaced, the checkpoint described both versions.
    const [part] = JSON.parse(both.toString());
    const [oldPart] = JSON.parse(oldCheckpoint.toString());
    for (const content of [old, compacted]) {
      await writeFile(path, content);
      await writeFile(`${path}.check`, JSON.stringify([oldPart, part]));
      expect(await storedStates('row-0', 'row-999')).toEqual(['done', 'done']);
    }
  });

  it('is accepted if both files are older copies', async () => {
    await linesOf(2);
    const [old, oldCheckpoint] = [await readFile(path), await readFile(`${path}.check`)];
    await create(0, (ledger) => ledger.put(started('later')));
    await writeFile(path, old);
    await writeFile(`${path}.check`, oldCheckpoint);
    expect(await storedStates('row-1', 'later')).toEqual(['done', undefined]);
  });
});

it("a ledger's metadata is stored in the ledger, and compaction keeps only the latest version", async () => {
  await create(1000, async (ledger) => {
    expect(ledger.metadata).toBeUndefined();
    await ledger.setMetadata({ key: 'Key' });
    await ledger.setMetadata({ key: 'ID', file: 'tickets.csv' });
  });
  const expected = { key: 'ID', file: 'tickets.csv' };
  for (let attempt = 0; attempt < 2; attempt++)
    await create(0, (ledger) => expect(ledger.metadata).toEqual(expected));
  expect(await linesInFile()).toHaveLength(1002);
});

posixTest('a checkpoint that is a pipe is rejected', async () => {
  execFileSync('mkfifo', [`${path}.check`]);
  await expect(fileLedger(path)).rejects.toMatchObject({
    name: 'LedgerError',
    message: `${path}.check can't be used: it's a pipe, device, or socket`,
  });
});

posixTest("compaction preserves the file's mode", async () => {
  await create(1000);
  await rm(`${path}.check`);
  await chmod(path, 0o600);
  await (await fileLedger(path)).close();
  expect(await linesInFile()).toHaveLength(1001);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(`${path}.check`)).mode & 0o777).toBe(0o600);
});

const realOpen = fs.open;

it('on a full disk, compaction leaves the ledger unchanged and fails with an error that names it', async () => {
  await create(1000);
  const content = await readFile(path, 'utf8');
  const spy = vi.spyOn(fs, 'open').mockImplementation(async (file, ...rest) => {
    const handle = await realOpen(file, ...rest);
    if (String(file).endsWith('.tmp')) {
      handle.writeFile = () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
    }
    return handle;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  await expect(fileLedger(path)).rejects.toMatchObject({
    name: 'LedgerError',
    message: `${path} can't be compacted: ENOSPC: no space left on device, write`,
  });
  expect(await files()).toEqual(['tickets.ledger']);
  expect(await readFile(path, 'utf8')).toBe(content);
  spy.mockRestore();
  syncBuiltinESMExports();
  await (await fileLedger(path)).close();
  expect((await readFile(path, 'utf8')).length).toBeLessThan(content.length);
});

it("if a ledger's folder is missing or read-only, the error names the ledger", async () => {
  const missing = join(dirname(path), 'missing', 'tickets.ledger');
  await expect(fileLedger(missing)).rejects.toMatchObject({
    name: 'LedgerError',
    message: expect.stringContaining(missing),
    cause: { code: 'ENOENT' },
  });
  await mkdir(path);
  await expect(fileLedger(path)).rejects.toMatchObject({
    name: 'LedgerError',
    message: `${path} can't be used: it's a folder`,
  });
});

it("opening a ledger deletes the temporary file of an interrupted compaction, even if the ledger doesn't need compaction", async () => {
  await writeFile(`${path}.${randomUUID()}.tmp`, 'half');
  await (await fileLedger(path)).close();
  expect(await files()).toEqual(['tickets.ledger']);
});

it('a closed ledger rejects new entries', async () => {
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
    { lines: 1499, rows: 1000, done: 400, compacted: false },
    { lines: 1500, rows: 1000, done: 400, compacted: true },
  ])(
    'runs only if the file has at least 1,000 lines and a third of them are outdated: $lines lines, $rows rows, $done done',
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
      expect(await linesInFile()).toHaveLength(1 + (compacted ? rows : lines));
    },
  );

  it("reduces the file to one line per row without losing any row's state", async () => {
    await create(3000, async (ledger) => {
      await ledger.bind('tickets:prj_1');
      await ledger.put({ ...started('open'), since: '2026-01-01T00:00:00Z' });
      await ledger.put({ ...started('failed'), state: 'failed', error: { message: 'no' } });
    });
    const before = (await stat(path)).size;
    const reopened = await open();
    // Windows and macOS have no `/proc`.
    if (process.platform === 'linux') expect(await countOpenFiles()).toBe(2);
    expect((await stat(path)).size).toBeLessThan(before * 0.6);
    expect(await linesInFile()).toHaveLength(3000 + 4);
    const keys = ['row-0', 'row-2999', 'open', 'failed', 'row-3000'];
    expect(await states(reopened, keys)).toEqual(['done', 'done', 'started', 'failed', undefined]);
    expect(['row-8', 'row-7'].map((key) => reopened.isClaimed('tic_7', key))).toEqual([true, false]);
    await expect(reopened.bind('tickets:prj_2')).rejects.toThrow('use another ledger');
    await reopened.put(started('row-3000'));
    await reopened.close();
    expect(await storedStates('row-3000', 'row-3')).toEqual(['started', 'done']);
    expect(await files()).toEqual(['tickets.ledger']);
    expect(await countOpenFiles()).toBe(0);
  });

  it('keeps only the latest entry of a row that was marked as done more than once, and drops forgotten rows', async () => {
    const titlesIn = async (ledger: Ledger) => {
      const found = new Map<string, string | undefined>();
      for await (const { key, fields } of ledger.entries('done')) {
        expect(found.has(key)).toBe(false);
        found.set(key, fields?.title);
      }
      return found;
    };
    const claim = (ledger: Ledger, index: number, title: string) =>
      ledger.claim({ key: `row-${index}`, state: 'done', recordId: `tic_${index}`, fields: { title } });
    const ledger = await fileLedger(path);
    for (const title of ['1', '2'])
      await Promise.all(Array.from({ length: 600 }, (_, index) => claim(ledger, index, title)));
    await ledger.forget('row-599');
    await ledger.close();
    const size = (await stat(path)).size;
    const reopened = await fileLedger(path);
    expect((await stat(path)).size).toBeLessThan(size * 0.6);
    expect(new Set((await titlesIn(reopened)).values())).toEqual(new Set(['2']));
    await claim(reopened, 5, '3');
    await reopened.flush();
    const titles = await titlesIn(reopened);
    expect([titles.size, titles.get('row-5'), titles.get('row-6'), titles.has('row-599')]).toEqual([
      599,
      '3',
      '2',
      false,
    ]);
    await reopened.close();
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

  it('allows compaction through a symbolic link and keeps the link', async () => {
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

  it('prevents writes and leaves the file unchanged after another process has taken over the ledger', async () => {
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
  const checkpoint = { add: () => {}, commit: async () => {}, close: async () => {} };
  const lock = { path: 'tickets.ledger', assertHeld: () => {} };

  it('rejects all writes once a write has failed', async () => {
    const written: string[] = [];
    const file = {
      async appendFile(text: string) {
        written.push(text);
        if (text === 'two\n') throw new Error('ENOSPC: no space left on device');
      },
      datasync: async () => {},
      close: async () => {},
    };
    const log = new AppendLog(file as never, lock, checkpoint as never);
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
    await expect(log.append('five')).rejects.toThrow('ENOSPC');
    await expect(Promise.all([log.append('six'), log.append('seven')])).rejects.toThrow('ENOSPC');
    await expect(log.flush()).rejects.toThrow('ENOSPC');
    await expect(log.close()).rejects.toThrow('ENOSPC');
    expect(written).toEqual(['one\n', 'two\n']);
  });

  it('collects the lines that are appended during a sync and writes them in a single batch', async () => {
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
    const log = new AppendLog(file as never, lock, checkpoint as never);
    await Promise.all(Array.from({ length: 100 }, (_, index) => log.append(`${index}`)));
    expect(written.join('').split('\n')).toHaveLength(101);
    expect(synced).toBe(2);
  });
});
