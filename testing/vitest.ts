import { test as base, expect } from 'vitest';
import { fixtures } from './fixtures.js';
import { matchers, type WorktrackMatchers } from './matchers.js';

declare module 'vitest' {
  // Vitest requires the same type parameters in all declarations.
  interface Matchers<R extends void | Promise<void>, T> extends WorktrackMatchers<R> {}
}

expect.extend(matchers);

/** Vitest's `expect` with this package's matchers. */
export { expect };

/**
 * Vitest's `test` with the `mock`, `client`, and `clientWith` fixtures. To change the mock server's options
 * for a file or a `describe` block, call `test.override`, or `test.scoped` in Vitest versions before 4.1.
 *
 * @example
 * test.override({ mockOptions: { world } });
 * test('moves a ticket', async ({ mock, client }) => { … });
 */
export const test = base.extend(fixtures);
