import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

export interface ConsoleFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

/** In the built package, the console is next to this code. In a checkout, it's in the build output. */
const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url;
const folder = new URL(here.endsWith('.ts') ? '../../../dist/console/' : 'console/', here);

/**
 * Returns whether the console's files exist. The single-file server and unbuilt checkouts don't include them.
 */
export const hasConsole = (): boolean => existsSync(new URL('index.html', folder));

/** The content type for each file extension in the build output. */
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the console's files, keyed by path, such as `/index.html` or `/assets/index-4f2a.js`.
 *
 * @returns an empty map if the console isn't built
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
