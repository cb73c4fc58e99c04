import { join } from 'node:path';
import { describe } from 'vitest';
import { fileLedger, memoryLedger } from 'worktrack/jobs';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { describeLedger } from './ledger-contract.js';

const openMemoryLedger = async () => ({ ledger: memoryLedger() });

async function openFileLedger() {
  const folder = await temporaryFolder();
  const path = join(folder, 'tickets.ledger');
  return { ledger: await fileLedger(path), reopen: () => fileLedger(path) };
}

describe('memoryLedger', () => describeLedger(openMemoryLedger));

describe('fileLedger', () => describeLedger(openFileLedger));
