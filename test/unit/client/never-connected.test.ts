import { describe, expect, it } from 'vitest';
import { type ClientOptions, type Outcome, Worktrack } from 'worktrack';
import { errorOf } from './support/serve.js';

/** Returns the error of a failed write. */
function writeError(options: Pick<ClientOptions, 'fetch'>) {
  const client = new Worktrack({ baseUrl: 'https://work.example', token: 'wt_1', retry: 0, ...options });
  return errorOf(client.tickets.create('p', { board_id: 'b', title: 'T' }));
}

const failed = (fields: object) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(), fields) });

const failedCall = (syscall: string, code = 'ETIMEDOUT') => failed({ code, syscall });

describe('the outcome of a write for which fetch rejects', () => {
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
  ])('is `not_sent` if the error code is %s', async (code) => {
    for (const cause of [failed({ code }), Object.assign(new Error(), { code })]) {
      expect(await writeError({ fetch: () => Promise.reject(cause) })).toMatchObject({ outcome: 'not_sent' });
    }
  });

  it.each<[Outcome, string, unknown]>([
    ...[
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
    ].map((code) => ['unknown', `the error code is ${code}`, failed({ code })] as [Outcome, string, unknown]),
    ['not_sent', 'the system call is connect', failedCall('connect')],
    ['not_sent', 'the system call is getaddrinfo', failedCall('getaddrinfo')],
    ['unknown', 'the system call is read', failedCall('read')],
    ['unknown', 'the system call is write', failedCall('write')],
    ['unknown', 'the system call is reconnect', failedCall('reconnect')],
    ['unknown', 'the system call is connected', failedCall('connected')],
    // These error codes are ambiguous.
    ['unknown', 'a read fails with EHOSTUNREACH', failedCall('read', 'EHOSTUNREACH')],
    ['unknown', 'a write fails with ENETUNREACH', failedCall('write', 'ENETUNREACH')],
    ['not_sent', 'connecting fails with EHOSTUNREACH', failedCall('connect', 'EHOSTUNREACH')],
    [
      'not_sent',
      "none of the host's IP addresses can be reached",
      failed({ errors: [{ code: 'ECONNREFUSED' }, { code: 'ETIMEDOUT', syscall: 'connect' }] }),
    ],
    [
      'unknown',
      "the connection to any of the host's IP addresses is lost",
      failed({ errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }] }),
    ],
    ['unknown', 'the list of errors is empty', failed({ errors: [] })],
    ['unknown', 'the reason is undefined', undefined],
    ['unknown', 'the reason is null', null],
    ['unknown', 'the reason is a string', 'text'],
    ['unknown', 'the reason is an ordinary error', new Error('lost')],
    ['unknown', "the reason can't be converted to a string", Object.create(null)],
    ['unknown', "the message can't be converted to a string", failed({ message: Object.create(null) })],
  ])('is `%s` if %s', async (outcome, _, cause) => {
    expect(await writeError({ fetch: () => Promise.reject(cause) })).toMatchObject({ outcome });
  });
});

it('the error for an unreachable .test host suggests passing mock.fetch', async () => {
  const fetch = () => Promise.reject(failedCall('getaddrinfo', 'ENOTFOUND'));
  const client = new Worktrack({ baseUrl: 'http://worktrack.test', token: 'wt_1', fetch, retry: 0 });
  expect(((await errorOf(client.tickets.get('t'))) as Error).message).toMatch(
    /ENOTFOUND; did you forget to pass "fetch: mock\.fetch" to the client\?$/,
  );
});
