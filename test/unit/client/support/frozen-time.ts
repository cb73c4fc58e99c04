import { type ClientOptions, Worktrack } from 'worktrack';
import { useFakeTimers } from '../../../support/timers.js';
import { secret } from './serve.js';

/**
 * Creates a client with a fake `fetch` and fake timers. Time advances only when the test advances it.
 *
 * @returns The client and `times`, which lists each request's time in milliseconds since the call.
 */
export function clientInFrozenTime(
  respond: (index: number, request: Request) => Response | Promise<Response>,
  options: ClientOptions = {},
) {
  useFakeTimers();
  let index = 0;
  const times: number[] = [];
  const startedAt = Date.now();
  const client = new Worktrack({
    baseUrl: 'https://work.example',
    token: secret,
    responseValidation: 'off',
    timeout: Infinity,
    totalTimeout: Infinity,
    fetch: async (input, init) => {
      times.push(Date.now() - startedAt);
      return respond(index++, new Request(input, init));
    },
    ...options,
  });
  return { client, times };
}
