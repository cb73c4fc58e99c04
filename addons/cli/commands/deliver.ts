import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../../jobs/index.js';
import { UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { readOptionFile } from '../files.js';
import { toOneLine, toSafeJson } from '../terminal/text.js';

/** Delivers a change. Rejects if the next run must deliver the change again. */
export type Deliver = (change: Change) => Promise<void>;

interface DeliveryFlags {
  exec?: string;
  passSecrets?: boolean;
  post?: string;
  secret?: string;
  allowPlainHttp?: boolean;
}

/** Creates the function that delivers changes according to the options. By default, it prints them. */
export async function createDelivery(
  flags: DeliveryFlags,
  context: CommandContext,
  signal: AbortSignal,
): Promise<Deliver> {
  if (flags.exec !== undefined) {
    return execute(flags.exec, flags.passSecrets ? context.env : withoutSecrets(context.env));
  }
  if (flags.passSecrets) throw new UsageError('--pass-secrets requires --exec <command>');
  if (flags.post === undefined) {
    if (flags.secret !== undefined) throw new UsageError('--secret requires --post <url>');
    const toLine = context.isTerminal ? describeChange : (change: Change) => toSafeJson(change, 0);
    return (change) =>
      context.write(toLine(change)).catch((cause: Error) => {
        throw new Error(`could not print change ${change.id}`, { cause });
      });
  }
  const secret =
    flags.secret === undefined
      ? context.env.WORKTRACK_WEBHOOK_SECRET
      : (await readOptionFile('--secret', flags.secret)).trim();
  if (!secret)
    throw new UsageError('--post requires a secret; pass --secret <file> or set WORKTRACK_WEBHOOK_SECRET');
  const url = webhookUrl(flags.post, flags.allowPlainHttp === true);
  return post({ url, secret, signal, onRetry: context.printError });
}

function webhookUrl(text: string, allowPlainHttp: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = /^https?:$/.test(url?.protocol ?? '');
  // Don't print a URL that may contain a password.
  if (url?.username || url?.password || (!isHttp && text.includes('@'))) {
    throw new UsageError(
      '--post: the URL must not contain a user name or password; the receiver checks the signature instead',
    );
  }
  if (url?.protocol === 'https:') return url;
  if (url?.protocol !== 'http:') throw new UsageError(`--post: "${text}" isn't an HTTP URL`);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (isLoopback || allowPlainHttp) return url;
  throw new UsageError('--post: use https, or pass --allow-plain-http to send changes over plain HTTP');
}

const withoutSecrets = ({ WORKTRACK_TOKEN, WORKTRACK_WEBHOOK_SECRET, ...env }: NodeJS.ProcessEnv) => env;

/** Runs a shell command for each change, with the change as JSON on standard input. */
const execute =
  (command: string, env: NodeJS.ProcessEnv): Deliver =>
  async (change) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...env, WORKTRACK_CHANGE_ID: change.id, WORKTRACK_CHANGE_TYPE: change.type },
    });
    // A command may exit without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(change)}\n`);
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) {
      throw new Error(
        `--exec: the command failed with ${signal ?? `exit code ${code}`} for change ${change.id}`,
      );
    }
  };

export interface PostOptions {
  url: URL;
  secret: string;
  signal: AbortSignal;
  /** Called before each delay. */
  onRetry(message: string): void;
  /** The delays between attempts, in milliseconds. */
  delays?: readonly number[];
  /** The timeout for each attempt, in milliseconds. */
  timeout?: number;
}

/**
 * Sends each change to a webhook, signed according to Standard Webhooks. Retries with increasing delays. To
 * preserve the order, holds later changes until a failed change is delivered.
 */
export function post({
  url,
  secret,
  signal,
  onRetry,
  delays = defaultDelays,
  timeout = 20_000,
}: PostOptions): Deliver {
  const key = readKey(secret);
  return async (change) => {
    const body = JSON.stringify({ type: change.type, timestamp: change.observedAt, data: change });
    for (let attempt = 0; ; attempt++) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
      const problem = await send(url, signedHeaders(key, change.id, body), body, limit);
      if (problem === undefined) return;
      signal.throwIfAborted();
      const delay = delays[attempt];
      if (delay === undefined) {
        throw new Error(
          `--post: ${url.origin} failed ${attempt + 1} times for change ${change.id}: ${problem}`,
        );
      }
      onRetry(`--post: ${problem}; retrying in ${delay / 1000} s`);
      await sleep(delay, undefined, { signal });
    }
  };
}

const defaultDelays = [1, 5, 30, 120, 600].map((seconds) => seconds * 1000);

/** Decodes a secret such as `whsec_…`. */
function readKey(secret: string): Buffer {
  const base64 = secret.replace(/^whsec_/, '');
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(base64)) {
    throw new UsageError('the webhook secret must be base64, with or without the "whsec_" prefix');
  }
  const key = Buffer.from(base64, 'base64');
  if (key.length >= shortestKey) return key;
  throw new UsageError(
    `the webhook secret must contain at least ${shortestKey} bytes (got ${key.length}); create one with: openssl rand -base64 24`,
  );
}

const shortestKey = 16;

/** Returns the headers that Standard Webhooks requires. */
function signedHeaders(key: Buffer, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** @returns a description of the problem, or undefined if the webhook responded with 2xx */
async function send(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
    });
    await response.body?.cancel();
    return response.ok ? undefined : `the webhook responded with ${response.status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

/** Describes a change in one line, for example `14:05:09 ticket.updated "Fuel valves" (priority: "normal" → "high")`. */
function describeChange(change: Change): string {
  const time = new Date(change.observedAt).toLocaleTimeString([], { hour12: false });
  const fields = change.fields.map((name) => fieldOf(change, name)).join(', ');
  return toOneLine(`${time} ${change.type} ${nameOf(change)}${fields && ` (${fields})`}`);
}

function nameOf({ before, after, recordId }: Change): string {
  const { title, name } = { ...before, ...after } as { title?: string; name?: string };
  return JSON.stringify(toOneLine(title ?? name ?? recordId));
}

function fieldOf({ before, after }: Change, name: string): string {
  const [old, now] = [before, after].map((record) => textOf((record as Record<string, unknown>)[name]));
  return old === undefined || now === undefined ? name : `${name}: ${old} → ${now}`;
}

/** Returns a short value as text, or undefined for lists and long strings. */
function textOf(value: unknown): string | undefined {
  if (value === null) return 'none';
  if (['number', 'boolean'].includes(typeof value)) return String(value);
  return typeof value === 'string' && value.length <= 60 ? JSON.stringify(toOneLine(value)) : undefined;
}
