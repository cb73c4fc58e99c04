import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers, replaceFile } from '../../../src/shared/files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test("replaceFile doesn't leave a temporary file behind if writing fails", async () => {
  const path = await temporaryFolder();
  const beforeRename = async () => {
    await mkdir(join(path, 'seed.json', 'in-the-way'), { recursive: true });
  };

  await expect(replaceFile(join(path, 'seed.json'), '{}', { beforeRename })).rejects.toThrow();
  expect(await readdir(path)).toEqual(['seed.json']);
});

test("replaceFile doesn't write through a symbolic link at a predictable temporary path", async () => {
  const path = await temporaryFolder();
  await writeFile(join(path, 'victim'), 'untouched');
  await symlink(join(path, 'victim'), join(path, 'seed.json.tmp'));

  await replaceFile(join(path, 'seed.json'), '{}');

  expect(await readFile(join(path, 'victim'), 'utf8')).toBe('untouched');
});

test('removeLeftovers deletes temporary files only if a killed process left them behind', async () => {
  const path = await temporaryFolder();
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const others = [
    'other.json',
    `other.json.${id}.tmp`,
    `seed.json.${'z'.repeat(36)}.tmp`,
    `seed.json.${id}.tmp.backup`,
    'seed.json.notes.tmp',
    `seed.json.old.${id}.tmp`,
  ];
  for (const name of [`seed.json.${id}.tmp`, ...others]) await writeFile(join(path, name), '');
  await removeLeftovers(join(path, 'seed.json'));

  expect((await readdir(path)).toSorted()).toEqual(others.toSorted());
});
