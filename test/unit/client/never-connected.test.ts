import { describe, expect, it } from 'vitest';
import { type ClientOptions, Worktrack } from 'worktrack';
import { errorOf } from './support/serve.js';

/** Returns the error of a failed write. */
function writeError(options: Pick<ClientOptions, 'fetch' | 'fetchOptions'>) {
  const client = new Worktrack({ baseUrl: 'https://work.example', token: 'wt_1', retry: 0, ...options });
  return errorOf(client.tickets.create('p', { board_id: 'b', title: 'T' }));
}

/** Returns the outcome of a write if fetch rejects with the given error. */
async function outcomeOf(cause: unknown) {
  const error = await writeError({ fetch: () => Promise.reject(cause) });
  return (error as { outcome?: string }).outcome;
}

type Handler = Record<string, () => void>;

/** Passes `handler` to the dispatcher in `fetchOptions`, as fetch does, and returns the write's error. */
const dispatchWith = (handler: Handler, onDispatch: (handler: Handler) => void) => {
  const dispatcher = {
    dispatch: (_: object, observed: Handler) => {
      onDispatch(observed);
      return true;
    },
  };
  return writeError({
    fetchOptions: { dispatcher },
    fetch: async (_, init) => {
      (init as { dispatcher: typeof dispatcher }).dispatcher.dispatch({}, handler);
      throw new TypeError('fetch failed');
    },
  });
};

const failed = (fields: object) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(), fields) });

describe('a write that never reached the server', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
    'ConnectionRefused',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('has the outcome `not_sent` if the error code is %s', async (code) => {
    expect(await outcomeOf(failed({ code }))).toBe('not_sent');
    expect(await outcomeOf(Object.assign(new Error(), { code }))).toBe('not_sent');
  });

  it.each(['connect', 'getaddrinfo'])(
    'has the outcome `not_sent` if the %s system call fails',
    async (syscall) => {
      expect(await outcomeOf(failed({ code: 'ETIMEDOUT', syscall }))).toBe('not_sent');
    },
  );

  it("has the outcome `not_sent` if none of the host's IP addresses can be reached", async () => {
    const errors = [{ code: 'ECONNREFUSED' }, { code: 'ETIMEDOUT', syscall: 'connect' }];
    expect(await outcomeOf(failed({ errors }))).toBe('not_sent');
  });
});

describe('a write that may have reached the server', () => {
  it.each([
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_SOCKET',
    'NOT_ECONNREFUSED',
    'ECONNREFUSED_LATER',
    'UND_ERR_CONNECT_TIMEOUT_2',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE_2',
    // OpenSSL also uses these codes after the handshake.
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ])('has the outcome `unknown` if the error code is %s', async (code) => {
    expect(await outcomeOf(failed({ code }))).toBe('unknown');
  });

  it.each(['read', 'write', 'reconnect', 'connected'])(
    'has the outcome `unknown` if the %s system call fails',
    async (syscall) => {
      expect(await outcomeOf(failed({ code: 'ETIMEDOUT', syscall }))).toBe('unknown');
    },
  );

  it("has the outcome `unknown` if the connection to any of the host's IP addresses is lost", async () => {
    expect(await outcomeOf(failed({ errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }] }))).toBe(
      'unknown',
    );
    expect(await outcomeOf(failed({ errors: [] }))).toBe('unknown');
  });

  it.each([undefined, null, 'text', new Error('lost')])(
    'has the outcome `unknown` if fetch rejects with %s',
    async (reason) => {
      expect(await outcomeOf(reason)).toBe('unknown');
    },
  );
});

it("a failed write has the outcome `unknown` if the error can't be converted to a string", async () => {
  expect(await outcomeOf(Object.create(null))).toBe('unknown');
  expect(await outcomeOf(new TypeError('fetch failed', { cause: { message: Object.create(null) } }))).toBe(
    'unknown',
  );
});

it("a failed write's outcome depends on the system call if the error code is ambiguous", async () => {
  expect(await outcomeOf(failed({ code: 'EHOSTUNREACH', syscall: 'read' }))).toBe('unknown');
  expect(await outcomeOf(failed({ code: 'ENETUNREACH', syscall: 'write' }))).toBe('unknown');
  expect(await outcomeOf(failed({ code: 'EHOSTUNREACH', syscall: 'connect' }))).toBe('not_sent');
});

it.each([
  [true, 'ECONNREFUSED', 'unknown'],
  [false, 'ECONNRESET', 'not_sent'],
  ['no', 'ECONNRESET', 'unknown'],
  [undefined, 'ECONNREFUSED', 'not_sent'],
])(
  "a failed write's outcome depends first on `requestWritten` (%s) and then on the error code (%s)",
  async (requestWritten, code, outcome) => {
    expect(await outcomeOf(Object.assign(new Error(), { requestWritten, code }))).toBe(outcome);
  },
);

it.each([
  ['undici 7', 'onConnect', 'unknown'],
  ['undici 8', 'onRequestStart', 'unknown'],
  ['a dispatcher that fails to connect', 'onError', 'not_sent'],
])('the client determines from the events of %s whether the request was sent', async (_, event, outcome) => {
  const error = await dispatchWith({ [event]: () => {} }, (handler) => handler[event]?.());
  expect(error).toMatchObject({ outcome });
});

it("the client doesn't add methods to a handler, because undici 7 detects old handlers by their missing methods", async () => {
  const seen: string[][] = [];
  await dispatchWith({ onConnect: () => {} }, (handler) => {
    seen.push(Object.keys(handler));
  });
  expect(seen).toEqual([['onConnect']]);
});

it("in a runtime that doesn't use undici, the cause of a failed write is the error that fetch threw", async () => {
  const cause = failed({ code: 'ECONNREFUSED' });
  const options = { fetchOptions: { dispatcher: {} as never }, fetch: () => Promise.reject(cause) };
  expect(await writeError(options)).toMatchObject({ outcome: 'not_sent', cause });
});

it('the error for an unreachable .test host suggests passing mock.fetch', async () => {
  const cause = Object.assign(new Error('getaddrinfo ENOTFOUND worktrack.test'), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
  });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const client = new Worktrack({ baseUrl: 'http://worktrack.test', token: 'wt_1', fetch, retry: 0 });
  expect(((await errorOf(client.tickets.get('t'))) as Error).message).toMatch(
    /ENOTFOUND worktrack\.test; did you forget to pass "fetch: mock\.fetch" to the client\?$/,
  );
});
