import { readFileSync } from 'node:fs';

/** Resolves on a stop signal, or when the `npx` process that started the server exits. */
export function stopped(env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    // npx doesn't forward every signal, and some signals reach only the shell between npx and this process.
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
 * Returns the parent process ID and, on Linux, the grandparent's, because npx may start commands in a shell.
 */
function ancestors(): string {
  const parent = process.ppid;
  return `${parent} ${process.platform === 'linux' ? parentOf(parent) : ''}`;
}

function parentOf(pid: number): string {
  try {
    return /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
