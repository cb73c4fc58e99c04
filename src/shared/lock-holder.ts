import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseJson } from './json.js';
import { quote } from './quote.js';

/** The process that holds a lock, as stored in the lock file. */
export interface LockHolder {
  pid: number;
  host: string;
  /** When the process started, in clock ticks since boot. The process ID isn't enough, because systems reuse IDs. */
  started?: string | undefined;
  /** Identifies the running kernel. It's different on each machine and changes with every restart. */
  boot?: string | undefined;
  /**
   * Identifies the PID namespace. Process IDs from another namespace, such as a container's, are meaningless
   * here.
   */
  pidNamespace?: string | undefined;
}

/** Describes the current process. */
export const currentHolder = (): LockHolder => ({
  pid: process.pid,
  host: hostname(),
  started: readProcess('self')?.started,
  boot: ifReadable(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  pidNamespace: ifReadable(() => readlinkSync('/proc/self/ns/pid')),
});

/** Parses the contents of a lock file. Returns undefined if it's invalid or belongs to another lock. */
export function parseHolder(text: string, id: string): LockHolder | undefined {
  const holder = parseJson(text) as (LockHolder & { id: string }) | null;
  const isValid = holder?.id === id && Number.isSafeInteger(holder.pid) && typeof holder.host === 'string';
  return isValid && holder.pid > 0 ? holder : undefined;
}

/**
 * Checks whether the process that holds a lock is running. Returns `unknown` for a process on another machine
 * or in another PID namespace, or if the system doesn't report when processes started.
 */
export function statusOf(holder: LockHolder): 'running' | 'exited' | 'unknown' {
  if (!isInspectable(holder)) return 'unknown';
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM means that the process is running but belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'exited';
  }
  // If `/proc` belongs to a different PID namespace, the holder's PID could refer to another process there.
  if (ifReadable(() => readlinkSync('/proc/self')) !== String(process.pid)) return 'unknown';
  const found = readProcess(holder.pid);
  if (!found || holder.started === undefined) return 'unknown';
  return found.started === holder.started && found.state !== 'Z' ? 'running' : 'exited';
}

/** Describes the process that holds a lock for an error message. */
export function describeHolder(holder: LockHolder | undefined): string {
  if (!holder) return 'another process';
  const { boot, pidNamespace } = currentHolder();
  const isElsewhere = holder.boot === boot && holder.pidNamespace !== pidNamespace;
  return `process ${holder.pid} on ${quote(holder.host)}${isElsewhere ? ', in another container' : ''}`;
}

/** Whether this process can look up the holder's process ID. */
function isInspectable(holder: LockHolder): boolean {
  const { host, boot, pidNamespace } = currentHolder();
  // Only Linux has PID namespaces and a boot ID.
  if (process.platform !== 'linux') return holder.host === host && holder.boot === undefined;
  if (boot === undefined || pidNamespace === undefined) return false;
  return holder.boot === boot && holder.pidNamespace === pidNamespace;
}

/** Reads a process's state and start time. Returns undefined if `/proc` or the process doesn't exist. */
function readProcess(pid: number | 'self'): { state?: string; started?: string } | undefined {
  return ifReadable(() => {
    // Skip the command name, which is in parentheses and may itself contain spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
    return { state: fields[0], started: fields[19] } as { state?: string; started?: string };
  });
}

function ifReadable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
