import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { main, waitFor } from './support/processes.js';

test.skipIf(process.platform === 'win32')(
  'worktrack mock stops when the npx process that started it is killed',
  { timeout: 60_000 },
  async () => {
    // Imitate npx, which runs the command through a shell and sets this variable.
    const command = `"${process.execPath}" "${main}" mock --port 0; true`;
    const npx = spawn('sh', ['-c', command], { env: { ...process.env, npm_command: 'exec' } });
    let url = '';
    createInterface(npx.stdout).on('line', (line) => {
      url = /http:\/\/\S+/.exec(line)?.[0] ?? url;
    });
    await waitFor(() => url !== '');
    npx.kill('SIGKILL');

    let stopped = false;
    while (!stopped) {
      stopped = await fetch(url).then(
        () => false,
        () => true,
      );
    }
    expect(stopped).toBe(true);
  },
);
