import type { Deployment } from '../../mock-server/index.js';
import { parseDeployment } from '../../mock-server/internal.js';
import { UsageError } from './command-line.js';
import { readOptionFile } from './files.js';

/**
 * Reads the `deployment.json` file passed with an option.
 *
 * @throws UsageError if the file can't be read or is invalid
 */
export async function readDeploymentFile(option: string, path: string): Promise<Deployment> {
  const text = await readOptionFile(option, path);
  try {
    return parseDeployment(text);
  } catch (error) {
    throw new UsageError(`${option}: ${path}: ${(error as Error).message.replace(/^deployment: /, '')}`);
  }
}
