import {
  type ErrorCode,
  errorCodes,
  errorCodesOf,
  operationIds,
  operationOf,
} from '../../../src/contract/index.js';
import { errorCodePages } from './error-code-pages.js';
import { type ErrorClassName, type ErrorPage, errorPages } from './error-pages.js';
import { errorResponse } from './openapi-facts.js';

/** Returns the name and Markdown of every error page: one page per error class and one per error code. */
export const errorPageTexts = (): { name: string; text: string }[] => [
  ...entries(errorPages).map(([name, page]) => ({ name, text: classPage(name, page) })),
  ...entries(errorCodePages).map(([name]) => ({ name, text: codePage(name) })),
];

/** Returns the error class the client throws for a status. */
export const errorClassOf = (status: number): ErrorClassName =>
  entries(errorPages).find(([, page]) => page.status === String(status))?.[0] ?? 'ApiError';

const entries = <Name extends string, Page>(pages: Record<Name, Page>) =>
  Object.entries(pages) as [Name, Page][];

const anyOf = new Intl.ListFormat('en-US', { type: 'disjunction' });

const classPage = (name: ErrorClassName, { code, status, cause, fix, handle, outcomes }: ErrorPage) =>
  [
    `# ${name}`,
    '## Cause',
    cause,
    '## Fix',
    fix,
    '## Handle it in code',
    handlingCode(name, `error instanceof ${name}`, handle),
    '## Properties',
    [
      ...(code ? [`- \`code\`: ${codesOf(code, status)}`] : []),
      ...(status ? [`- \`status\`: ${status}`] : []),
      `- \`outcome\`: ${anyOf.format(outcomes.map((outcome) => `\`'${outcome}'\``))}`,
    ].join('\n'),
    ...(outcomes.includes('rejected') && outcomes.includes('unknown')
      ? [
          "If a write fails after a retry and the server may have processed an earlier attempt, `outcome` is `'unknown'`.",
        ]
      : []),
    `For all properties, see the [API reference](../reference/api/worktrack/classes/${name}.md).`,
  ].join('\n\n');

/** Returns code that handles one kind of error and rethrows all others. */
const handlingCode = (name: string, condition: string, handle: string) =>
  [
    '```ts',
    `import { ${name} } from 'worktrack';`,
    '',
    'try {',
    '  // … call the client',
    '} catch (error) {',
    `  if (!(${condition})) throw error;`,
    ...handle.split('\n').map((line) => `  ${line}`),
    '}',
    '```',
  ].join('\n');

/** An error response's code replaces the class's own. Successful responses have no code. */
const codesOf = (code: string, status: string | undefined) =>
  status && status !== '2xx'
    ? `the server's code${codesWithStatus(Number(status))}, or \`'${code}'\` if it didn't send one`
    : `\`'${code}'\``;

const codesWithStatus = (status: number) => {
  const codes = entries(errorCodes).flatMap(([code, other]) =>
    other === status ? [`[\`${code}\`](./${code}.md)`] : [],
  );
  return codes.length > 0 ? ` (${codes.join(', ')})` : '';
};

function codePage(code: ErrorCode): string {
  const status = errorCodes[code];
  const operations = operationIds.filter((id) => errorCodesOf(operationOf(id), status).includes(code));
  const name = errorClassOf(status);
  return [
    `# ${code}`,
    `The server responds with status ${status}, and the client throws [\`${name}\`](./${name}.md) with \`code: '${code}'\`.`,
    ...responseExample(code),
    '## Cause',
    errorCodePages[code].cause,
    '## Fix',
    errorCodePages[code].fix,
    '## Handle it in code',
    handlingCode(name, `error instanceof ${name} && error.code === '${code}'`, errorCodePages[code].handle),
    '## Operations that return it',
    operations.length === operationIds.length
      ? 'Every operation.'
      : operations.length === 0
        ? "The client's methods never cause this error. You get it only if you send the request yourself."
        : operations.map((id) => `- [\`${id}\`](../reference/operations/${id}.md)`).join('\n'),
  ].join('\n\n');
}

function responseExample(code: ErrorCode): string[] {
  const response = errorResponse(code);
  return response
    ? [`\`\`\`http\n${response.status}\n\n${JSON.stringify(response.body, null, 2)}\n\`\`\``]
    : [];
}
