import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import type { BookImportOptions } from './support/book-import-process.js';
import { exactlyOnce, failSome, setUpImport, source } from './support/import-setting.js';
import { credential } from './support/records.js';
import { generator, manyRows } from './support/rows.js';

const isLong = process.env.WORKTRACK_TEST_LONG === '1';
const size = isLong ? { rows: 20_000, kills: 30 } : { rows: 400, kills: 4 };

it('an import creates each row once despite SIGKILLs, lost responses, and people editing', {
  timeout: isLong ? 1_800_000 : 120_000,
}, async () => {
  const { deployment, records, project, board, toTicket, path, outcome, bookStates } = await setUpImport();
  // Older tickets with the same content, some of them created with the same credential.
  for (const row of manyRows(size.rows / 10)) {
    deployment.addTicketByHand(project, toTicket(row));
    records.addTicket(project, toTicket(row), credential);
  }
  const old = [...records.tickets.keys()];
  const random = generator(4);
  const fail = failSome(5, 0.1, 100);
  deployment.intercept = async (request) => {
    await sleep(random() * 3);
    if (request.operation === 'tickets.create') return fail(request);
    const tickets = records.onBoard(board);
    const moved = tickets[Math.floor(random() * tickets.length)];
    if (moved) records.moveTicket(moved.id, board, Math.floor(random() * tickets.length));
    const [deleted] = random() < 0.1 ? old.splice(Math.floor(random() * old.length), 1) : [];
    if (deleted) records.deleteTicket(deleted);
    return random() < 0.03 ? { processed: false, status: 503 } : undefined;
  };

  const options: BookImportOptions = {
    ...{ client: deployment.client, project, board, source, path, count: size.rows },
  };
  let killed = 0;
  let report = '';
  while (report === '') {
    const child = fork(join(inject('programs'), 'book-import-process.mjs'), [JSON.stringify(options)], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const killSoon = (within: number) => setTimeout(() => child.kill('SIGKILL'), random() * within);
    const isEarly = killed % 3 === 1;
    // Every third process is killed early, so that this can happen while it reads its book or the marks.
    if (isEarly && killed < size.kills) killSoon(600);
    child.on('message', (message: string) => {
      if (message !== 'started') report = message;
      else if (!isEarly && killed < size.kills) killSoon(isLong ? 1500 : 150);
    });
    const [code] = await once(child, 'exit');
    if (code === null) killed++;
    else expect(code).toBe(0);
  }
  expect(killed).toBe(size.kills);
  expect(JSON.parse(report)).toMatchObject({ failed: 0, unknown: 0, duplicateCount: 0 });
  expect(outcome(manyRows(size.rows))).toEqual(exactlyOnce);
  expect(await bookStates()).toEqual({ done: size.rows, missing: 0 });
});
