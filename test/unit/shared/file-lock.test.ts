import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockFile as lockFileWith } from '../../../src/shared/file-lock.js';
import { currentHolder } from '../../../src/shared/lock-holder.js';
import { linuxTest, posixTest } from '../../support/platforms.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const timing = { heartbeat: 5, poll: 10, polls: 20 };

async function lockFile(file: string) {
  const lock = await lockFileWith(file, { timing });
  onTestFinished(() => lock.release());
  return lock;
}

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await realpath(await temporaryFolder());
  path = join(folder, 'rows.ledger');
});

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
const entry = () => join(`${path}.lock`, id);

const exitedProcess = spawnSync(process.execPath, ['-e', '']).pid;

/** Writes another process's lock. By default, that process has exited. */
async function lockBy(holder: object = {}, file = entry()) {
  await mkdir(dirname(file), { recursive: true });
  const content = { id, ...currentHolder(), started: '1', pid: exitedProcess, ...holder };
  await writeFile(file, JSON.stringify(content));
}

/** A process on another machine. */
const elsewhere = { pid: 7, host: 'web-1', boot: 'other', started: '1', pidNamespace: 'pid:[4026531836]' };

/** Writes a heartbeat every few milliseconds until the test finishes. */
function startBeating(beat: (count: number) => Promise<unknown>) {
  let running = true;
  const loop = async () => {
    for (let count = 0; running; count++) {
      await beat(count).catch(() => {});
      await sleep(5);
    }
  };
  const done = loop();
  onTestFinished(async () => {
    running = false;
    await done;
  });
}

describe('lockFile', () => {
  it('creates a folder next to the file and deletes that folder on release', async () => {
    const lock = await lockFile(path);
    expect(lock.path).toBe(path);
    expect(lock.isHeld()).toBe(true);
    expect(await readdir(folder)).toEqual(['rows.ledger.lock']);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    expect(() => lock.assertHeld()).toThrow(`the lock on ${path} was released`);
  });

  it('rejects with an error of the given class if the same process already has the lock', async () => {
    await lockFile(path);
    await expect(
      lockFileWith(path, { createError: (message) => new RangeError(message) }),
    ).rejects.toMatchObject({
      name: 'RangeError',
      message: `${path} is in use by process ${process.pid} on ${hostname()}`,
    });
  });

  it.each([
    ['a link to the file', async () => symlink(path, join(folder, 'link'))],
    [
      'a link to a link',
      async () => {
        await symlink('between', join(folder, 'link'));
        await symlink('rows.ledger', join(folder, 'between'));
      },
    ],
  ])('resolves %s, whether or not the file exists', async (_, link) => {
    await link();
    for (const prepare of [async () => {}, () => writeFile(path, '')]) {
      await prepare();
      const lock = await lockFile(join(folder, 'link'));
      expect(lock.path).toBe(path);
      await expect(lockFile(path)).rejects.toThrow('is in use by process');
      await lock.release();
    }
  });

  it("resolves symbolic links in the file's parent folders", async () => {
    await mkdir(join(folder, 'data'));
    await symlink('data', join(folder, 'alias'));
    const lock = await lockFile(join(folder, 'alias', 'new.ledger'));
    expect(lock.path).toBe(join(folder, 'data', 'new.ledger'));
  });

  it.each(['free', 'left by a process that has exited'])(
    'grants a lock that is %s to only one of many concurrent callers',
    async (state) => {
      if (state !== 'free') await lockBy();
      const all = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(path)));
      const held = all.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      expect(held.map((lock) => lock.isHeld())).toEqual([true]);
    },
  );

  it('reports the path of the file if its folder is missing', async () => {
    const missing = join(folder, 'missing', 'rows.ledger');
    await expect(lockFile(missing)).rejects.toMatchObject({
      message: `${missing} can't be locked: the folder ${dirname(missing)} doesn't exist`,
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
  });

  posixTest('rejects a pipe', async () => {
    execFileSync('mkfifo', [path]);
    await expect(lockFile(path)).rejects.toThrow(`${path} can't be used: it's a pipe, device, or socket`);
    expect(await readdir(folder)).toEqual(['rows.ledger']);
  });

  it.each([
    ['a file', () => writeFile(`${path}.lock`, 'mine')],
    ['a link to a folder with a lock', () => symlink(folder, `${path}.lock`)],
    [
      'a folder with other files',
      () => mkdir(`${path}.lock`).then(() => writeFile(join(`${path}.lock`, 'x'), '')),
    ],
  ])("doesn't change %s at the lock's path", async (_, create) => {
    await writeFile(join(folder, id), JSON.stringify({ ...elsewhere, id }));
    await create();
    await expect(lockFile(path)).rejects.toThrow(
      `${path} can't be locked because ${path}.lock isn't a lock; delete it`,
    );
    expect((await readdir(folder)).sort()).toEqual([id, 'rows.ledger.lock']);
  });

  it('uses an empty folder that a killed process left behind', async () => {
    await mkdir(`${path}.lock`);
    expect((await lockFile(path)).isHeld()).toBe(true);
  });

  it('deletes the files that processes left behind when they were killed while locking the file', async () => {
    await lockBy({}, join(`${path}.lock.${id}`, id));
    await mkdir(`${path}.lock.notes`);
    const lock = await lockFile(path);
    await lock.release();
    expect(await readdir(folder)).toEqual(['rows.ledger.lock.notes']);
  });
});

describe('a lock held by a process on this machine', () => {
  it('is taken over if the process has exited', async () => {
    await lockBy();
    expect((await lockFile(path)).isHeld()).toBe(true);
    expect(await readdir(`${path}.lock`)).toHaveLength(1);
  });

  it('is respected if the process belongs to another user', async () => {
    const started = (await readFile(`/proc/${process.ppid}/stat`, 'utf8').catch(() => ''))
      .replace(/.*\) /s, '')
      .split(' ')[19];
    await lockBy({ pid: process.ppid, started });
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    onTestFinished(() => kill.mockRestore());
    startBeating((count) => lockBy({ pid: process.ppid, started, beats: `${count}` }));
    await expect(lockFile(path)).rejects.toThrow(`is in use by process ${process.ppid} on ${hostname()}`);
  });

  linuxTest(
    'is taken over only if the process ID has been reused, no matter how hard the process name is to parse',
    async () => {
      const program = join(folder, 'a) b (c d');
      await writeFile(program, '#!/bin/sh\necho\nread -r line\n', { mode: 0o755 });
      const { pid, stdin, stdout } = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void stdin.end());
      await once(stdout, 'data');
      const fields = await readFile(`/proc/${pid}/stat`, 'utf8');
      expect(fields).toContain(`(${basename(program)}) `);
      // The start time is field 22 of the file, so it's the 20th field after the process ID and the name.
      const start = fields.split(') ').at(-1)?.split(' ')[19];
      await lockBy({ pid, started: start });
      await expect(lockFile(path)).rejects.toThrow(`is in use by process ${pid}`);
      await lockBy({ pid, started: `${Number(start) - 1}` });
      expect((await lockFile(path)).isHeld()).toBe(true);
    },
  );
});

describe('a lock held by a process on another machine', () => {
  it.each([
    ['on another host', { ...elsewhere }, 'process 7 on web-1'],
    [
      'on this host before its last restart',
      { ...elsewhere, host: hostname(), pid: process.pid },
      `process ${process.pid} on ${hostname()}`,
    ],
    [
      'with control characters in its name',
      { ...elsewhere, host: 'a\u001b]0;b\u202e' },
      'process 7 on a ]0;b',
    ],
  ])('is respected while its heartbeat keeps changing: a process %s', async (_, holder, description) => {
    await lockBy(holder);
    // Set the timestamps to zero, because they aren't reliable on some file systems.
    startBeating(async (beats) => {
      await lockBy({ ...holder, beats }, `${path}.next`);
      await rename(`${path}.next`, entry());
      await utimes(entry(), 0, 0);
    });
    await expect(lockFile(path)).rejects.toMatchObject({ message: `${path} is in use by ${description}` });
  });

  it("is taken over after its heartbeat stops, regardless of the other machine's clock", async () => {
    await lockBy(elsewhere);
    startBeating((count) => utimes(entry(), 2e9 + count, 2e9 + count));
    expect((await lockFile(path)).isHeld()).toBe(true);
  });

  it('is taken over if its content is incomplete', async () => {
    await mkdir(`${path}.lock`);
    await writeFile(entry(), '{"pid":');
    expect((await lockFile(path)).isHeld()).toBe(true);
  });

  it.each([{ pid: -1 }, { pid: '../..' }, { host: 7 }, 'null', '[]'])(
    'with invalid content (%j) is taken over only after its heartbeat stops',
    async (content) => {
      const text = typeof content === 'string' ? content : JSON.stringify({ id, ...elsewhere, ...content });
      await mkdir(`${path}.lock`);
      await writeFile(entry(), text);
      startBeating((count) => writeFile(entry(), `${text}${' '.repeat(count % 2)}`));
      await expect(lockFile(path)).rejects.toThrow(`${path} is in use by another process`);
    },
  );

  it("can be acquired if it's released while another process is waiting for its heartbeat", async () => {
    await lockBy(elsewhere);
    const locked = lockFile(path);
    await sleep(timing.poll);
    await rm(`${path}.lock`, { recursive: true, maxRetries: 5 });
    expect((await locked).isHeld()).toBe(true);
  });
});

describe('a lost lock', () => {
  /** Takes over the lock as another process would. */
  async function loseTo(holder: object) {
    const [own = ''] = await readdir(`${path}.lock`);
    await rename(join(`${path}.lock`, own), entry());
    await lockBy(holder);
  }

  it("is reported, along with its new holder, before the next write, and isn't taken back", async () => {
    const lock = await lockFile(path);
    await loseTo(elsewhere);
    const content = await readFile(entry(), 'utf8');
    await sleep(timing.heartbeat * 3);
    expect(lock.isHeld()).toBe(false);
    expect(() => lock.assertHeld()).toThrow(
      `the lock on ${path} was lost: while this process was paused, process 7 on web-1 took it over`,
    );
    await lock.release();
    expect(await readFile(entry(), 'utf8')).toBe(content);
  });

  it('is reported without its new holder if a late heartbeat has overwritten the name', async () => {
    const lock = await lockFile(path);
    const [own = ''] = await readdir(`${path}.lock`);
    const heartbeat = await readFile(join(`${path}.lock`, own), 'utf8');
    await loseTo(elsewhere);
    await writeFile(entry(), heartbeat);
    expect(() => lock.assertHeld()).toThrow(
      `the lock on ${path} was lost: while this process was paused, another process took it over`,
    );
  });

  it('is reported if the folder was deleted', async () => {
    const lock = await lockFile(path);
    await rm(`${path}.lock`, { recursive: true });
    expect(() => lock.assertHeld()).toThrow(`${path}.lock was deleted or can't be read`);
    await sleep(timing.heartbeat * 3);
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays with the new holder even if the old holder writes its last heartbeat too late', async () => {
    await lockBy(elsewhere);
    const old = await readFile(entry(), 'utf8');
    const lock = await lockFileWith(path, { timing: { ...timing, heartbeat: 60_000 } });
    onTestFinished(() => lock.release());
    const [own = ''] = await readdir(`${path}.lock`);
    await writeFile(join(`${path}.lock`, own), old);
    lock.assertHeld();
  });
});
