import type { MockServer } from '../../mock-server/index.js';
import type { ExploredRequest, Failure } from './failures.js';
import type { Interference } from './interference.js';
import { differenceOf, type Item, labelOf, type RecordsByKind } from './state.js';

/** A function that throws an error if the workflow didn't survive. Its name appears in reports. */
export type Check = (context: CheckContext) => unknown;

/** The context passed to a check. */
export interface CheckContext {
  /** The server, as the run left it. */
  mock: MockServer;
  /** The failures in the run. At most one, or two if `depth` is 2. */
  failures: readonly Failure[];
  /** What another user did, if the failure is a kind of interference. */
  interference: Interference | undefined;
  /** The error that the workflow threw, or undefined. After a crash, this is the second process's error. */
  error: unknown;
  /** The requests that the run sent. */
  requests: readonly ExploredRequest[];
  /** The unhandled promise rejections. Always empty outside Node.js. */
  unhandledRejections: readonly unknown[];
  /** The records before the run. */
  before: RecordsByKind;
  /** The records after the run. */
  after: RecordsByKind;
  /** The records after the run without failures. */
  clean: RecordsByKind;
  /** Reruns the workflow without injected failures, starting from the state that the run left behind. */
  rerun(): Promise<Rerun>;
}

/** The result of rerunning the workflow. */
export interface Rerun {
  /** The error that it threw, or undefined. */
  error: unknown;
  /** The records afterward. */
  after: RecordsByKind;
}

/** Options for checks that compare records. */
export interface StateOptions {
  /**
   * The names of fields that aren't compared. Numbers, positions, and the IDs of new records are never
   * compared. Times other than `due_at` count as equal unless only one of them is null.
   */
  ignore?: readonly string[];
}

/**
 * Checks that there are no duplicates among the new records of each kind.
 *
 * @param by returns a record's unique identity, or undefined to ignore the record. Defaults to the title,
 * name, or text within the same project, ticket, or document, or for the same recipient.
 */
export const noDuplicates = (by: (record: Readonly<Record<string, unknown>>) => unknown = contentOf): Check =>
  named('noDuplicates', ({ before, after }) => {
    for (const [kind, records] of Object.entries(after)) {
      const known = new Set(before[kind]?.map(({ id }) => id));
      const seen = new Set<unknown>();
      for (const record of records) {
        const identity = known.has(record.id) ? undefined : by(record);
        if (identity === undefined) continue;
        if (seen.has(identity)) throw new Error(`duplicate ${labelOf(kind, record)}`);
        seen.add(identity);
      }
    }
  });

const contentOf = ({ title, name, body_html, body, ...record }: Item): string =>
  JSON.stringify([
    title ?? name ?? body_html,
    body,
    record.project_id ?? record.ticket_id ?? record.document_id ?? record.user_id,
  ]);

/**
 * Checks that the workflow made either all of the changes that it makes without failures, or none of them.
 */
export const allOrNothing = ({ ignore }: StateOptions = {}): Check =>
  named('allOrNothing', (context) => {
    const { before, after, error } = context;
    if (isPrevented(context, error)) return;
    const difference = differenceFromClean(context, after, ignore);
    if (difference && differenceOf(after, before, { ...context, ignore })) {
      throw new Error(`made only some of its changes:\n${difference}`);
    }
  });

/** Checks that the records are the same as after the run without failures. */
export const sameStateAsCleanRun = ({ ignore }: StateOptions = {}): Check =>
  named('sameStateAsCleanRun', (context) => {
    if (!isPrevented(context, context.error)) requireClean(context, context.after, ignore);
  });

/**
 * Checks that rerunning the workflow without injected failures results in the same records as a run without
 * failures.
 */
export const converges = ({ ignore }: StateOptions = {}): Check =>
  named('converges', async (context) => {
    const { error, after } = await context.rerun();
    if (isPrevented(context, error)) return;
    if (error !== undefined) throw new Error('rerunning the workflow failed', { cause: error });
    requireClean(context, after, ignore, 'after running the workflow again, ');
  });

/**
 * Checks that the workflow doesn't throw. In `kinds`, choose only failures that the workflow should handle.
 */
export const succeeds = (): Check =>
  named('succeeds', ({ error }) => {
    if (error !== undefined) throw new Error('the workflow failed', { cause: error });
  });

/** Checks that the workflow doesn't undo another user's change. */
export const keepsInterference = (): Check =>
  named('keepsInterference', ({ interference, after }) => {
    if (!interference) return;
    const { recordId, record, changed } = interference;
    const found = Object.values(after)
      .flat()
      .find(({ id }) => id === recordId);
    if (!found || !record) return;
    const undone = changed.filter((field) => found[field] !== record[field]);
    if (undone.length > 0) throw new Error(`undid another user's change to ${undone.join(', ')}`);
  });

/** Checks that there are no unhandled promise rejections. Always passes outside Node.js. */
export const noUnhandledRejections = (): Check =>
  named('noUnhandledRejections', ({ unhandledRejections: [first, ...others] }) => {
    if (first === undefined) return;
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    throw new Error(`unhandled rejection${more}`, { cause: first });
  });

/** Sets the name that appears in reports, because bundlers can rename functions. */
export const named = (name: string, check: Check): Check =>
  Object.defineProperty(check, 'name', { value: name });

/** Returns whether the workflow reported an error because another user's change kept it from finishing. */
const isPrevented = ({ interference }: CheckContext, error: unknown): boolean =>
  error !== undefined && (interference?.kind === 'board_filled' || interference?.kind === 'project_archived');

function requireClean(
  context: CheckContext,
  after: RecordsByKind,
  ignore: StateOptions['ignore'],
  when = '',
): void {
  const difference = differenceFromClean(context, after, ignore);
  if (difference) throw new Error(`${when}the result differs from the run without failures:\n${difference}`);
}

function differenceFromClean(
  context: CheckContext,
  after: RecordsByKind,
  ignore: StateOptions['ignore'],
): string | undefined {
  const { before, interference, clean } = context;
  const difference = differenceOf(after, clean, { before, interference, ignore });
  // If another user deleted a record, the workflow may create it again.
  return difference && differenceOf(after, clean, { before, interference: undefined, ignore }) && difference;
}
