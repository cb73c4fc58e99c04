import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { connectionVariables } from '../../cli/mock/processes.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { main, runScript } from './support/processes.js';

test.skipIf(process.platform !== 'linux')(
  "worktrack pull fails if its temporary file doesn't fit on the disk, even if the seed file would fit",
  async () => {
    const folder = await temporaryFolder();
    const server = await listen();
    onTestFinished(() => server.close());
    const { mock } = server;
    const board = mock.add.board({ project: mock.add.project().id });
    for (let count = 0; count < 20; count++)
      mock.add.ticket({ board: board.id, title: 'Fuel', description_html: 'x'.repeat(2000) });
    const file = join(folder, 'world.json');
    const script = `ulimit -f 20; '${process.execPath}' '${main}' pull --sample 1 -o '${file}'`;
    const { code, errors } = await runScript(script, connectionVariables(server.clientOptions()));
    expect(errors).toBe(`worktrack pull: --output: could not write ${file}: the file is too large\n`);
    expect(code).toBe(2);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  },
);
