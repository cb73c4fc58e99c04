import {
  type ErrorCode,
  errorCodes,
  errorCodesOf,
  operationIds,
  operationOf,
} from '../../../src/contract/index.js';
import { errorCodePages } from './error-code-pages.js';
import { type ErrorClassName, type ErrorPage, errorPages } from './error-pages.js';

/** The pages of all error classes and error codes: name, and Markdown. */
export const errorPageTexts = (): { name: string; text: string }[] => [
  ...entries(errorPages).map(([name, page]) => ({ name, text: classPage(name, page) })),
  ...entries(errorCodePages).map(([name]) => ({ name, text: codePage(name) })),
];

const entries = <Name extends string, Page>(pages: Record<Name, Page>) =>
  Object.entries(pages) as [Name, Page][];

const classPage = (name: ErrorClassName, { code, status, happened, todo, outcomes }: ErrorPage) =>
  [
    `# ${name}`,
    '## What happened',
    happened,
    '## What to do',
    todo,
    '## On it',
    [
      ...(code ? [`- \`code\`: \`'${code}'\``] : []),
      ...(status ? [`- status: ${status}`] : []),
      `- \`outcome\`: ${outcomes.map((outcome) => `\`'${outcome}'\``).join(' or ')}`,
      ...(status && /^\d{3}$/.test(status) ? [`- reasons: ${reasonsOf(Number(status))}`] : []),
    ].join('\n'),
    `All properties: [\`${name}\` in the API](../reference/api/worktrack/classes/${name}.md).`,
  ].join('\n\n');

const reasonsOf = (status: number) =>
  entries(errorCodes)
    .filter(([, other]) => other === status)
    .map(([code]) => `[\`${code}\`](./${code}.md)`)
    .join(', ') || 'none in the contract';

function codePage(code: ErrorCode): string {
  const status = errorCodes[code];
  const able = operationIds.filter((id) => errorCodesOf(operationOf(id), status).includes(code));
  const [name] = entries(errorPages).find(([, page]) => page.status === String(status)) ?? ['ApiError'];
  return [
    `# ${code}`,
    `Status ${status}; the client throws [\`${name}\`](./${name}.md) with \`reason: '${code}'\`.`,
    '## What happened',
    errorCodePages[code].happened,
    '## What to do',
    errorCodePages[code].todo,
    '## Who answers so',
    able.length === operationIds.length
      ? 'Every operation.'
      : able.length === 0
        ? 'None of the thirty operations: only a call made by hand meets it.'
        : able.map((id) => `- [\`${id}\`](../reference/operations/${id}.md)`).join('\n'),
  ].join('\n\n');
}
