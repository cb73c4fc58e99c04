import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { CommandContext } from '../../../addons/cli/context.js';
import { openInBrowser } from '../../../addons/cli/mock/processes.js';
import { posixTest } from '../../support/platforms.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { replaceProperty } from './support/replace-property.js';

const url = 'http://127.0.0.1:4010/__admin/';

/** Opens the URL with a fake program that runs the given shell script. */
async function openWith(script: string | undefined, program = 'xdg-open') {
  const folder = await temporaryFolder();
  if (script !== undefined) {
    const file = join(folder, program);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }
  const printError = vi.fn();
  openInBrowser(url, { env: { PATH: folder, FOLDER: folder }, printError } as unknown as CommandContext);
  return { folder, printError };
}

posixTest.each([
  ['linux', 'xdg-open', url],
  ['darwin', 'open', url],
  ['win32', 'rundll32', `url.dll,FileProtocolHandler ${url}`],
] as const)('on %s, worktrack mock --open runs %s', async (platform, program, args) => {
  replaceProperty(process, 'platform', platform);
  const { folder, printError } = await openWith('echo "$@" > "$FOLDER/opened"', program);
  await vi.waitFor(
    async () => expect(await readFile(join(folder, 'opened'), 'utf8')).toBe(`${args}\n`),
    5000,
  );
  expect(printError).not.toHaveBeenCalled();
});

posixTest.each([
  ['is missing', undefined],
  ['fails', 'exit 3'],
])('worktrack mock --open prints the URL if the program that opens URLs %s', async (_, script) => {
  replaceProperty(process, 'platform', 'linux');
  const { printError } = await openWith(script);
  await vi.waitFor(() => expect(printError).toHaveBeenCalledOnce(), 5000);
  expect(printError.mock.calls[0]?.[0]).toMatch(/^could not open a browser with .*; open http:\/\/127/);
});
