import { operationIds } from '../../../src/contract/index.js';
import { operationPage } from '../../.vitepress/content/operation-page.js';
import { recordOperation } from '../../.vitepress/content/operation-record.js';
import { signatureReader } from '../../.vitepress/content/operation-signatures.js';
import { operationSources } from '../../.vitepress/content/operation-sources.js';

/** One page for each operation of the contract. */
export default {
  async paths() {
    const signatureOf = signatureReader();
    const sources = operationSources();
    return Promise.all(
      operationIds.map(async (operation) => ({
        params: { operation },
        content: operationPage(operation, {
          signature: signatureOf(operation),
          source: sources.get(operation) ?? '',
          exchange: await recordOperation(operation),
        }),
      })),
    );
  },
};
