import { ConfigurationError } from '../../errors/index.js';

/**
 * Loads an optional package.
 *
 * @param driver the database driver to install along with BullMQ
 * @param load imports the package. Bundlers need the package's name in the `import()` call.
 * @throws ConfigurationError if the package is missing
 */
export async function loadPackage<Module>(
  name: string,
  driver: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    const message = `worktrack/import/bullmq requires the package ${name}, which isn't installed; run npm install bullmq ${driver}`;
    throw new ConfigurationError(message, { cause });
  }
}
