import { describe, expect, it } from 'vitest';
import { Worktrack } from 'worktrack';
import { errorOf } from './support/serve.js';

/** The outcome of a write if fetch fails with this error. */
async function outcomeOf(cause: unknown) {
  const client = new Worktrack({
    baseUrl: 'https://work.example',
    token: 'wt_1',
    retry: 0,
    fetch: () => Promise.reject(cause),
  });
  const error = await errorOf(client.tickets.create('p', { board_id: 'b', title: 'T' }));
  return (error as { outcome?: string }).outcome;
}

const failed = (facts: object) => new TypeError('fetch failed', { cause: Object.assign(new Error(), facts) });

describe('the outcome is not_sent if the reason is', () => {
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
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_HANDSHAKE',
  ])('%s', async (code) => {
    expect(await outcomeOf(failed({ code }))).toBe('not_sent');
    expect(await outcomeOf(Object.assign(new Error(), { code }))).toBe('not_sent');
  });

  it.each(['connect', 'getaddrinfo'])('a failed %s', async (syscall) => {
    expect(await outcomeOf(failed({ code: 'ETIMEDOUT', syscall }))).toBe('not_sent');
  });

  it('that all IP addresses of the host are unreachable', async () => {
    const errors = [{ code: 'ECONNREFUSED' }, { code: 'ETIMEDOUT', syscall: 'connect' }];
    expect(await outcomeOf(failed({ errors }))).toBe('not_sent');
  });
});

describe('the outcome of a write is unknown if the reason is', () => {
  it.each([
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_SOCKET',
    'NOT_ECONNREFUSED',
    'ECONNREFUSED_LATER',
    'UND_ERR_CONNECT_TIMEOUT_2',
    'ERR_SSL_WRONG_VERSION_NUMBER_LATER',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    'X_ERR_SSL_HANDSHAKE',
  ])('%s', async (code) => {
    expect(await outcomeOf(failed({ code }))).toBe('unknown');
  });

  it.each(['read', 'write', 'reconnect', 'connected'])('a failed %s', async (syscall) => {
    expect(await outcomeOf(failed({ code: 'ETIMEDOUT', syscall }))).toBe('unknown');
  });

  it('that some IP addresses are unreachable, and the connection to one was lost', async () => {
    expect(await outcomeOf(failed({ errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }] }))).toBe(
      'unknown',
    );
    expect(await outcomeOf(failed({ errors: [] }))).toBe('unknown');
  });

  it.each([undefined, null, 'text', new Error('lost')])('%s', async (reason) => {
    expect(await outcomeOf(reason)).toBe('unknown');
  });
});

it('the system call decides, because an established connection can fail with the same code', async () => {
  expect(await outcomeOf(failed({ code: 'EHOSTUNREACH', syscall: 'read' }))).toBe('unknown');
  expect(await outcomeOf(failed({ code: 'ENETUNREACH', syscall: 'write' }))).toBe('unknown');
  expect(await outcomeOf(failed({ code: 'EHOSTUNREACH', syscall: 'connect' }))).toBe('not_sent');
});
