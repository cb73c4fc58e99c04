import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileLedger, type Ledger, memoryLedger } from 'worktrack/import';
import { describeLedger } from './ledger-contract.js';

const openMemoryLedger = async () => ({ ledger: memoryLedger() });

async function openFileLedger() {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'tickets.ledger');
  return { ledger: await fileLedger(path), reopen: () => fileLedger(path) };
}

describe('memoryLedger', () => describeLedger(openMemoryLedger));

describe('fileLedger', () => describeLedger(openFileLedger));

it.each<[string, () => Promise<{ ledger: Ledger; reopen?: () => Promise<Ledger> }>]>([
  ['memoryLedger', openMemoryLedger],
  ['fileLedger', openFileLedger],
])('%s returns the latest time the server has returned', async (_, open) => {
  const { ledger, reopen } = await open();
  expect(ledger.since).toBeUndefined();
  const times = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-01T00:00:00Z', undefined];
  for (const [index, since] of times.entries()) {
    await ledger.claim({ key: `r${index}`, state: 'done', recordId: `tic_${index}`, since });
  }
  expect(ledger.since).toBe('2026-01-03T00:00:00Z');
  await ledger.close();
  const reopened = await reopen?.();
  if (reopened) expect(reopened.since).toBe('2026-01-03T00:00:00Z');
  await reopened?.close();
});
