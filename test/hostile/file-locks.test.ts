import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { lockFile } from '../../src/shared/file-lock.js';
import { isLong } from '../properties/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// These tests need a process in its own PID namespace, as in a container. The tests are skipped if this user
// can't create a namespace. On most systems, only root can create one.
const inNamespace = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const canUnshare = spawnSync('unshare', [...inNamespace, 'true']).status === 0;

const timing = { heartbeat: 20, poll: 20, polls: 25 };

async function fileToLock(): Promise<string> {
  const folder = await temporaryFolder();
  return join(folder, 'rows.ledger');
}

/** Starts a process in a new PID namespace. Process 1, which can't be stopped from inside, is a shell. */
function startElsewhere(...args: string[]) {
  const program = join(inject('programs'), 'lock-process.mjs');
  const command = [...inNamespace, 'sh', '-c', '"$@"; exit $?', 'sh', process.execPath, program, ...args];
  const child = spawn('unshare', command, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  onTestFinished(() => signal(child, 'SIGKILL'));
  return { child, output: () => output };
}

/** Starts a process in a new PID namespace and waits until it holds a lock. */
async function lockElsewhere() {
  const path = await fileToLock();
  const holder = startElsewhere(path, JSON.stringify(timing));
  await vi.waitFor(() => expect(holder.output()).toBe('held\n'), { timeout });
  return { path, ...holder };
}

/** Sends a signal to the process and its children. */
function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, name);
}

const timeout = 10_000;

describe.runIf(canUnshare)('a file lock held in another PID namespace', { timeout: 60_000 }, () => {
  it("can't be taken over while its holder is running", async () => {
    const { path } = await lockElsewhere();
    await expect(lockFile(path, { timing })).rejects.toThrow(
      /rows\.ledger is in use by process 2 on .+, in another container$/,
    );
  });

  it('is taken over after its holder is killed', async () => {
    const { path, child } = await lockElsewhere();
    signal(child, 'SIGKILL');
    await once(child, 'exit');

    const lock = await lockFile(path, { timing });

    expect(lock.isHeld()).toBe(true);
    await lock.release();
  });

  it('can be lost while a process is suspended, and the process detects the loss before its next write', async () => {
    const { path, child, output } = await lockElsewhere();
    signal(child, 'SIGSTOP');
    const lock = await lockFile(path, { timing });
    signal(child, 'SIGCONT');

    await vi.waitFor(() => expect(output()).toContain('lost'), { timeout });
    // If the process was suspended while writing a heartbeat, it finishes that write when it resumes.
    // This overwrites the new holder's entry until the new holder writes its next heartbeat.
    expect([`process ${process.pid} on `, 'another process ']).toContain(
      /^lost: the lock on \S+ was lost: while this process was paused, (process \d+ on |another process )/m.exec(
        output(),
      )?.[1],
    );
    expect(lock.isHeld()).toBe(true);
    await lock.release();
  });

  it('is never held by two processes at the same time, even if processes are killed', async () => {
    const path = await fileToLock();
    const log = `${path}.log`;
    // Allow plenty of time before a takeover: the process may be interrupted between a check and a write.
    const options = JSON.stringify({ heartbeat: 50, poll: 20, polls: 50 });
    const outputs: (() => string)[] = [];
    for (let round = 0; round < (isLong ? 40 : 2); round++) {
      const children = Array.from({ length: 3 }, () => startElsewhere(path, options, log));
      outputs.push(...children.map(({ output }) => output));
      await Promise.race(children.map(({ child }) => once(child, 'exit')));
      for (const { child } of children) signal(child, 'SIGKILL');
      await Promise.all(
        children.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')),
      );
    }

    expect(outputs.map((output) => output()).join('')).toBe('');
    const holders = (await readFile(log, 'utf8')).trim().split('\n');
    const changes = holders.filter((holder, index) => holder !== holders[index - 1]);
    expect(changes.length).toBe(new Set(holders).size);
    expect(changes.length).toBeGreaterThan(1);
    const lock = await lockFile(path, { timing: { heartbeat: 50, poll: 20, polls: 50 } });
    await lock.release();
    expect((await readdir(join(path, '..'))).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});
