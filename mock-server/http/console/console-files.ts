import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** A file of the console. */
export interface ConsoleFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

/** The built package has the console next to this code. A checkout has it where the build puts it. */
const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url;
const folder = new URL(here.endsWith('.ts') ? '../../../dist/console/' : 'console/', here);

/** Whether the console's files are there. A single-file server and a checkout without a build don't have them. */
export const hasConsole = (): boolean => existsSync(new URL('index.html', folder));

/** Content types by the ends of file names. The build writes no other files. */
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the console's files by their paths, such as `/index.html` and `/assets/index-4f2a.js`.
 *
 * @returns no files if the console isn't built
 */
export async function readConsoleFiles(): Promise<Map<string, ConsoleFile>> {
  const files = new Map<string, ConsoleFile>();
  for (const path of await listFiles()) {
    const type = types[path.slice(path.lastIndexOf('.') + 1)];
    if (type) files.set(`/${path}`, { bytes: new Uint8Array(await readFile(new URL(path, folder))), type });
  }
  return files;
}

async function listFiles(): Promise<string[]> {
  try {
    const paths = await readdir(folder, { recursive: true });
    return paths.map((path) => path.replaceAll('\\', '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
