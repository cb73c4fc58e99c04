import { readFileSync } from 'node:fs';

/**
 * Resolves when the server should stop: on a signal, or when the `npx` process that started it has exited.
 */
export function stopped(env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    // npx doesn't forward every signal, and a signal may only reach the shell between npx and this process.
    if (env.npm_command !== 'exec') return;
    const initial = ancestors();
    const timer = setInterval(() => {
      if (ancestors() === initial) return;
      clearInterval(timer);
      resolve();
    }, 250);
    timer.unref();
  });
}

/**
 * The IDs of the parent process and, on Linux, of its parent, because npx may start a command through a
 * shell.
 */
function ancestors(): string {
  const parent = process.ppid;
  return `${parent} ${process.platform === 'linux' ? parentOf(parent) : ''}`;
}

function parentOf(pid: number): string {
  try {
    return /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
