import { expect } from '@jest/globals';
import { matchers, type WorktrackMatchers } from './matchers.js';

declare module 'expect' {
  interface Matchers<R> extends WorktrackMatchers<R> {}
}

declare global {
  namespace jest {
    // This is for projects that use the global `expect` of @types/jest.
    interface Matchers<R> extends WorktrackMatchers<R> {}
  }
}

expect.extend(matchers);

export { withFixtures } from './fixtures.js';
/** Jest's `expect` with this package's matchers. */
export { expect };
