import { access, constants, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './command-line.js';

/**
 * Reads the file passed with an option. Removes the byte order mark that some editors write.
 *
 * @throws UsageError if it can't be read
 */
export async function readOptionFile(option: string, path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    throw new UsageError(`${option}: could not read ${path}: ${describeFileError(error)}`);
  }
}

/**
 * Checks that the file passed with an option can be written, without changing or creating it. Otherwise, a
 * command would report an invalid path only at the end.
 *
 * @throws UsageError if it can't be written
 */
export async function requireWritable(option: string, path: string): Promise<void> {
  try {
    const found = await stat(path).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (!found) await access(dirname(path), constants.W_OK);
    // If the file is a pipe, opening and closing it would send its reader the end of the file.
    else if (found.isFile() || found.isDirectory()) await (await open(path, 'a')).close();
  } catch (error) {
    throw new UsageError(`${option}: could not write ${path}: ${describeFileError(error)}`);
  }
}

/**
 * Returns a short description of a file system error, such as `permission denied`. Node.js's own message also
 * contains the path and the system call.
 */
export function describeFileError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return problems[code] ?? message;
}

const problems: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is exceeded',
  EEXIST: 'the file already exists',
  EFBIG: 'the file is too large',
  EIO: "the device can't be read or written to",
  EISDIR: "it's a folder",
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: "a part of the path isn't a folder",
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};
