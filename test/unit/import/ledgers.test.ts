import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { fileLedger, memoryLedger } from 'worktrack/import';
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
