import { spawn } from 'node:child_process';
import type { CommandContext } from '../context.js';

/** The program that opens a URL in the default browser, and the arguments that precede the URL. */
const openCommands: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the default browser, or prints the URL if that fails. */
export function openInBrowser(url: string, { env, printError }: CommandContext): void {
  const [program, ...args] = openCommands[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
  const failed = () => printError(`could not open a browser with ${program}; open ${url}`);
  child.once('error', failed);
  child.once('exit', (code) => code && failed());
  child.unref();
}
