import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatJUnit, formatText, summary } from '../conformance/report.js';
import { type ConformanceReport, runConformance } from '../conformance/run.js';
import { type OperationId, operationIds } from '../src/contract/index.js';
import { advice } from '../src/wire/index.js';
import { askToken } from './operations/ask-token.js';
import { parseError, UsageError } from './usage-error.js';

export const conformanceUsage = `worktrack conformance: try every rule of the API against a deployment
  --base-url <url>        its address (WORKTRACK_BASE_URL)
  --organization <id>     the credential's organization (WORKTRACK_ORGANIZATION)
  --choices               check, too, what the specification leaves open as this package fills it
  --operation <id>        only the rules of this operation; can be given again
  --format <format>       text, junit or json (text)
  --output <file>         write the report there instead of printing it
The token of a credential comes from WORKTRACK_TOKEN, or is asked for.
It makes projects and documents named "Conformance" and deletes them; it notifies nobody.
Exit code: 0 where no rule failed, 1 where one did.`;

export const conformanceOptions = {
  'base-url': { type: 'string' },
  organization: { type: 'string' },
  choices: { type: 'boolean' },
  operation: { type: 'string', multiple: true },
  format: { type: 'string' },
  output: { type: 'string' },
} as const;

export const formats: Record<string, (report: ConformanceReport) => string> = {
  text: formatText,
  junit: formatJUnit,
  json: (report) => JSON.stringify(report, null, 2),
};

export async function conformanceCommand(args: readonly string[]): Promise<number> {
  const { values, format, ...options } = readOptions(args);
  const token = await askToken(process.env);
  const report = await runConformance({ ...options, token, choices: values.choices });
  const text = format(report);
  if (values.output === undefined) console.log(text);
  else {
    await writeFile(values.output, `${text}\n`);
    console.log(summary(report));
  }
  return report.failed > 0 ? 1 : 0;
}

function readOptions(args: readonly string[]) {
  const values = parse(args);
  const { env } = process;
  const baseUrl = values['base-url'] ?? env.WORKTRACK_BASE_URL;
  const organization = values.organization ?? env.WORKTRACK_ORGANIZATION;
  if (!baseUrl || !organization) {
    throw new UsageError('--base-url and --organization are required, here or in the environment');
  }
  if (!URL.canParse(baseUrl)) throw new UsageError(`--base-url takes a URL, not ${JSON.stringify(baseUrl)}`);
  const format = formats[values.format ?? 'text'];
  if (!format) throw new UsageError(`--format takes one of: ${Object.keys(formats).join(', ')}`);
  for (const id of values.operation ?? []) {
    if (!(operationIds as readonly string[]).includes(id))
      throw new UsageError(`there is no operation ${JSON.stringify(id)}; ${advice(id, operationIds)}`);
  }
  const operations = values.operation as OperationId[] | undefined;
  return { values, format, baseUrl, organization, operations };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: conformanceOptions,
    }).values;
  } catch (error) {
    throw parseError(error, conformanceOptions);
  }
}
