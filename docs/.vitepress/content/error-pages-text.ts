import {
  type FailureCode,
  failureCodes,
  failureCodesOf,
  operationIds,
  operationOf,
} from '../../../src/contract/index.js';
import { type ErrorClassName, type ErrorPage, errorPages } from './error-pages.js';
import { failurePages } from './failure-pages.js';

/** The pages of all error classes and failure codes: name, and Markdown. */
export const errorPageTexts = (): { name: string; text: string }[] => [
  ...entries(errorPages).map(([name, page]) => ({ name, text: classPage(name, page) })),
  ...entries(failurePages).map(([name]) => ({ name, text: codePage(name) })),
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
  entries(failureCodes)
    .filter(([, other]) => other === status)
    .map(([code]) => `[\`${code}\`](./${code}.md)`)
    .join(', ') || 'none in the contract';

function codePage(code: FailureCode): string {
  const status = failureCodes[code];
  const able = operationIds.filter((id) => failureCodesOf(operationOf(id), status).includes(code));
  const [name] = entries(errorPages).find(([, page]) => page.status === String(status)) ?? ['ApiError'];
  return [
    `# ${code}`,
    `Status ${status}; the client throws [\`${name}\`](./${name}.md) with \`reason: '${code}'\`.`,
    '## What happened',
    failurePages[code].happened,
    '## What to do',
    failurePages[code].todo,
    '## Who answers so',
    able.length === operationIds.length
      ? 'Every operation.'
      : able.length === 0
        ? 'None of the thirty operations: only a call made by hand meets it.'
        : able.map((id) => `- [\`${id}\`](../reference/operations/${id}.md)`).join('\n'),
  ].join('\n\n');
}
