import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { ListeningServer } from '../../mock-server/node/listen.js';
import type { CommandContext } from '../context.js';

/**
 * Reloads the seed file when it changes. If the new content is invalid, the server keeps its current data.
 */
export function watchSeed(server: ListeningServer, path: string, context: CommandContext): FSWatcher {
  let pending: NodeJS.Timeout | undefined;
  const reload = async () => {
    try {
      server.mock.load(await readFile(path, 'utf8'));
      context.printError(`reloaded ${path}`);
    } catch (error) {
      context.printError(`could not reload ${path}, keeping the current data: ${(error as Error).message}`);
    }
  };
  // Watch the folder instead of the file, because many editors replace the file on every save, which ends the
  // watch. One save can cause several events, so reloading is debounced.
  return watch(dirname(resolve(path)), (_, file) => {
    if (file !== basename(path)) return;
    clearTimeout(pending);
    pending = setTimeout(reload, 50);
  });
}
