import { describeThrown } from '../../src/internal.js';
import type { ExploredRequest, Failure } from './failures.js';

/** A run that failed a check. */
export interface FailedRun {
  /**
   * The ID to pass to `replay`, such as `crash_after:tickets.create:2`. Empty for the run without failures.
   */
  id: string;
  /** The failures in the run. At most one, or two if `depth` is 2. */
  failures: readonly Failure[];
  /** The problems that the checks found. */
  problems: readonly Problem[];
  /** The error that the workflow threw, or undefined. */
  error: unknown;
  /** The requests that the run sent. */
  requests: readonly ExploredRequest[];
  /**
   * The differences from the records after the run without failures, one per line. Undefined if there are
   * none.
   */
  difference: string | undefined;
  /** Code that reproduces the failures. */
  reproduction: string;
}

export interface Problem {
  /** The name of the check. */
  check: string;
  /** The error that the check threw. */
  error: unknown;
}

/** The result of `exploreFaults`. */
export class ExplorationReport {
  /** The requests of the run without failures. */
  readonly requests: readonly ExploredRequest[];
  /** The IDs of all runs. The first ID is empty, because the first run has no failures. */
  readonly ids: readonly string[];
  /** The number of possible runs that were skipped because of `maxRuns` or `timeout`. */
  readonly skipped: number;
  /** The runs that the workflow didn't survive, in request order. */
  readonly failed: readonly FailedRun[];
  /** The duration of the exploration, in milliseconds. */
  readonly durationMs: number;
  readonly #subject: string;

  /** @internal */
  constructor(
    result: Pick<ExplorationReport, 'requests' | 'ids' | 'skipped' | 'failed' | 'durationMs'> & {
      subject: string;
    },
  ) {
    this.requests = result.requests;
    this.ids = result.ids;
    this.skipped = result.skipped;
    this.failed = result.failed;
    this.durationMs = result.durationMs;
    this.#subject = result.subject;
  }

  /** The number of runs, including the run without failures. */
  get runs(): number {
    return this.ids.length;
  }

  /** Whether all checks passed after all runs. */
  get survived(): boolean {
    return this.failed.length === 0;
  }

  /** Returns the report as plain data for `JSON.stringify`. Errors are replaced with their messages. */
  toJSON(): object {
    const { survived, runs, skipped, durationMs } = this;
    const operations = (requests: readonly ExploredRequest[]) => requests.map(({ operation }) => operation);
    const failed = this.failed.map(({ id, problems, error, requests, difference, reproduction }) => ({
      id,
      problems: problems.map(({ check, error }) => ({ check, message: messageOf(error) })),
      ...(error !== undefined && { error: messageOf(error) }),
      requests: operations(requests),
      difference,
      reproduction,
    }));
    return { survived, runs, skipped, durationMs, requests: operations(this.requests), failed };
  }

  /** A sentence that says how many runs the workflow survived. */
  get summary(): string {
    const skipped = this.skipped > 0 ? ` ${this.skipped} possible runs were skipped.` : '';
    return `The ${this.#subject} survived ${this.runs - this.failed.length} of ${this.runs} runs.${skipped}`;
  }

  /** Returns a table of the failed runs, followed by the details of the first few. */
  toString(): string {
    if (this.survived) return this.summary;
    const rows = rowsOf(this.failed);
    // Show one run for each of the first rows of the table, which is more useful than several runs for the
    // same row.
    const details = rows.slice(0, maxDetails).map(({ run }) => describeRun(run, this.#subject));
    return [this.summary, tableOf(rows), ...details].join('\n\n');
  }
}

const maxDetails = 3;
const maxRows = 30;

/** All kinds of failures that cause the same problem at the same request. */
interface Row {
  where: string;
  kinds: string[];
  problem: string;
  run: FailedRun;
}

function rowsOf(failed: readonly FailedRun[]): Row[] {
  const rows = new Map<string, Row>();
  for (const run of failed) {
    const last = run.failures.at(-1);
    const earlier = run.failures.slice(0, -1).map((failure) => `${failure.kind} at ${whereOf(failure)}, `);
    const where = last ? `${earlier.join('')}${whereOf(last)}` : 'every run';
    const problem = run.problems
      .map(({ check, error }) => `${check}: ${summaryOf(messageOf(error))}`)
      .join('; ');
    const key = JSON.stringify([where, problem]);
    const row = rows.get(key) ?? { where, kinds: [], problem, run };
    row.kinds.push(last?.kind ?? 'no failure');
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** Returns the first lines of a multi-line message. */
function summaryOf(message: string): string {
  const [first, second, ...others] = message.split('\n');
  return [first, second, others.length > 0 ? `(and ${others.length} more)` : undefined]
    .filter(Boolean)
    .join(' ');
}

function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ where }) => where.length));
  const lines = rows.slice(0, maxRows).flatMap(({ where, kinds, problem }) => {
    const [first, ...others] = [...wrap(kinds), `→ ${problem}`];
    return [`${where.padEnd(width)}  ${first}`, ...others.map((line) => `${' '.repeat(width)}  ${line}`)];
  });
  const more = rows.length > maxRows ? [`… and ${rows.length - maxRows} more in \`report.failed\``] : [];
  return [...lines, ...more].map((line) => `  ${line}`).join('\n');
}

/** Joins words with commas, wrapped at 80 characters per line. */
function wrap(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 78) lines[lines.length - 1] = `${last}, ${word}`;
    else lines.push(word);
  }
  return lines;
}

const whereOf = ({ request: { operation, nth } }: Failure): string => `${operation} ${nth + 1}`;

function describeRun(
  { id, problems, error, requests, difference, reproduction }: FailedRun,
  subject: string,
): string {
  const messages = problems.map((problem) => `${problem.check}: ${messageOf(problem.error)}`);
  const showsDifference = difference === undefined || messages.some((text) => text.includes(difference));
  return [
    id || 'without failures',
    ...messages.map(indent),
    ...(error === undefined ? [] : [indent(`the ${subject} failed: ${messageOf(error)}`)]),
    ...(showsDifference ? [] : [indent(`difference from the run without failures:\n${difference}`)]),
    indent(`requests: ${summarize(requests)}`),
    ...(id ? [indent(`to reproduce:\n${indent(reproduction)}`)] : []),
  ].join('\n');
}

/** Lists the operations, with a count for repeated ones: `tickets.list, tickets.create ×3`. */
function summarize(requests: readonly ExploredRequest[]): string {
  const groups: { operation: string; count: number }[] = [];
  for (const { operation } of requests) {
    const last = groups.at(-1);
    if (last?.operation === operation) last.count++;
    else groups.push({ operation, count: 1 });
  }
  const shown = groups
    .slice(0, 20)
    .map(({ operation, count }) => (count > 1 ? `${operation} ×${count}` : operation));
  return [...shown, ...(groups.length > 20 ? ['…'] : [])].join(', ');
}

export function messageOf(error: unknown, depth = 0): string {
  try {
    if (!(error instanceof Error)) return describeThrown(error);
    const message = String(error.message);
    return error.cause === undefined || depth === 10
      ? message
      : `${message}: ${messageOf(error.cause, depth + 1)}`;
  } catch {
    // Reading a property of a thrown object can throw another error.
    return 'an error without a readable message';
  }
}

const indent = (text: string): string => text.replace(/^/gm, '  ');
