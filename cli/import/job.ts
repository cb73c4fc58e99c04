import { Lookup } from '../../src/lookup.js';
import { createClient, hasDefaultBoard } from '../connection.js';
import type { CommandContext } from '../context.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { type ImportFlags, planImport } from './plan.js';
import { createProgressDisplay, type ProgressDisplay } from './progress.js';

/** The file to import or sync, and its target project. */
export type FileJob<Flags extends ImportFlags> = Awaited<ReturnType<typeof openJob<Flags>>>;

/**
 * Reads the file, connects, and finds the project.
 *
 * @param fields the fields that a column can be mapped to
 * @throws UsageError if the file or the options are invalid
 */
export async function openJob<Flags extends ImportFlags>(
  file: string,
  flags: Flags,
  context: CommandContext,
  fields: readonly string[],
) {
  const plan = await planImport(file, flags, fields, hasDefaultBoard(context.env));
  const display = createProgressDisplay(plan.rows, context.printError);
  const throttle = flags.rate === undefined ? {} : { throttle: { requestsPerMinute: flags.rate } };
  // Log through the display, so that log messages don't break the progress bar.
  const client = await createClient(flags, { ...context, printError: display.printError }, throttle);
  const lookup = new Lookup(client);
  const { id: project } = await lookup.project(flags.project);
  return { plan, display, client, lookup, flags: { ...flags, project } };
}

export const stopImportOnSignal = ({ printError }: Pick<ProgressDisplay, 'printError'>) =>
  stopOnSignal(() => printError('Stopping. In-flight requests have five seconds to finish.'));
