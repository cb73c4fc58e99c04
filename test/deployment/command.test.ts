import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, inject, it } from 'vitest';
import { fileLedger } from 'worktrack/import';
import { shortWaits } from '../support/short-waits.js';
import { rowsOf } from './support/rows.js';
import { exactlyOnce, loseSome, newLedgerPath, setUp } from './support/set-up.js';

it("worktrack import creates every row exactly once even if it's killed and responses are lost", {
  timeout: 120_000,
}, async () => {
  const { deployment, project, outcome } = await setUp();
  const { client } = deployment;
  const ledgerPath = await newLedgerPath();
  const rows = rowsOf(90);
  const csv = ['id,title,board_slug', ...rows.map(({ id, title }) => `${id},${title},to-do`)].join('\n');
  const file = join(dirname(ledgerPath), 'tickets.csv');
  await writeFile(file, csv);

  const start = (...options: string[]) => {
    const args = ['import', file, '--project', project, '--key', 'id', '--ledger', ledgerPath, ...options];
    return spawn(process.execPath, [join(inject('programs'), 'worktrack.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...shortWaits,
        WORKTRACK_BASE_URL: client.baseUrl,
        WORKTRACK_ORGANIZATION: client.organization,
        WORKTRACK_TOKEN: client.token,
      },
    });
  };
  /** Runs the command and kills it while the deployment is processing the given request. */
  const runUntil = async (killAt: number, ...options: string[]) => {
    const child = start(...options);
    const lose = loseSome(18, 0.05);
    deployment.intercept = async (request) => {
      if (request.operation === 'tickets.create' && request.count === killAt) child.kill('SIGKILL');
      return lose(request);
    };
    const [[code, signal], errors] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    return { code, signal, errors };
  };

  expect(await runUntil(30)).toMatchObject({ signal: 'SIGKILL' });
  expect(await runUntil(60, '--resume')).toMatchObject({ signal: 'SIGKILL' });
  expect(await runUntil(Number.POSITIVE_INFINITY, '--resume')).toMatchObject({ code: 0 });
  const ledger = await fileLedger(ledgerPath);
  expect(await outcome(rows, ledger)).toEqual(exactlyOnce);
  await ledger.close();
});
