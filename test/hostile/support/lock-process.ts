/**
 * Locks a file in a separate process, for file-locks.test.ts. The arguments are the file, the timing as JSON,
 * and optionally a log.
 *
 * Without a log, the process holds the lock until it's lost. With a log, the process locks the file again and
 * again, appends one line per check while it holds the lock, and sometimes kills itself.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFile } from '../../../src/shared/file-lock.js';

const [path = '', timing = '{}', log] = process.argv.slice(2);
const options = { timing: JSON.parse(timing) };

if (log === undefined) await hold();
else for (;;) await contend(log);

async function hold(): Promise<void> {
  const lock = await lockFile(path, options);
  console.log('held');
  for (;;) {
    await sleep(5);
    try {
      lock.assertHeld();
    } catch (error) {
      console.log(`lost: ${(error as Error).message}`);
      return;
    }
  }
}

async function contend(file: string): Promise<void> {
  const lock = await lockFile(path, options).catch((error: Error) => {
    if (!/in use|keep locking/.test(error.message)) console.log(error.message);
    return undefined;
  });
  if (!lock) return sleep(Math.random() * 10);
  const id = randomUUID();
  for (let count = 0; count < 5 && lock.isHeld(); count++) {
    appendFileSync(file, `${id}\n`);
    await sleep(1);
  }
  if (Math.random() < 0.3) process.kill(process.pid, 'SIGKILL');
  await lock.release();
}
