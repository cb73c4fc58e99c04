import type { OperationId } from '../../../src/contract/index.js';
import type { Harness } from '../harness.js';
import { rule, type Scenario } from '../scenario.js';

/** A request in which one field at a time is tested at its limit. */
interface Target {
  create: OperationId;
  /** The path parameters. Defaults to the organization. */
  ids?(harness: Harness): Promise<string[]>;
  /** The other required fields of the body. */
  body?(harness: Harness): Promise<object> | object;
}

const inProject = async ({ shared }: Harness): Promise<string[]> => [(await shared.project()).id];

const projects: Target = {
  create: 'projects.create',
  body: ({ title, key }) => ({ name: title, key }),
};
const boards: Target = { create: 'boards.create', ids: inProject, body: () => ({ name: 'Board' }) };
const tickets: Target = {
  create: 'tickets.create',
  ids: inProject,
  body: async ({ shared }) => ({ title: 'Ticket', board_id: (await shared.board()).id }),
};
const documents: Target = {
  create: 'documents.create',
  // The caption also identifies a document that the deployment accepts without a title.
  body: ({ title }) => ({ title, caption: title }),
};
const ticketComments: Target = {
  create: 'tickets.comments.create',
  ids: async ({ shared }) => [(await shared.ticket()).id],
};
const documentComments: Target = {
  create: 'documents.comments.create',
  ids: async ({ shared }) => [(await shared.document()).id],
};

/** The maximum lengths of string fields, in characters. */
const lengths: [Target, field: string, limit: number][] = [
  [projects, 'name', 180],
  [projects, 'key', 12],
  [projects, 'description', 5000],
  [boards, 'name', 120],
  [boards, 'color', 32],
  [tickets, 'title', 500],
  [tickets, 'description_html', 200_000],
  [ticketComments, 'body_html', 200_000],
  [documents, 'title', 500],
  [documents, 'caption', 2000],
  [documents, 'content_html', 1_000_000],
  [documentComments, 'body_html', 200_000],
];

const invalid: [Target, field: string, value: unknown, title: string][] = [
  [boards, 'wip_limit', 0, 'a WIP limit of 0'],
  [boards, 'wip_limit', 1.5, "a WIP limit that isn't an integer"],
  [tickets, 'priority', 'urgent', 'an unknown priority'],
  [tickets, 'due_at', 'tomorrow', "a due date that isn't a date-time"],
  [documents, 'status', 'archived', 'an unknown status'],
  [documents, 'tag_names', Array.from({ length: 21 }, (_, index) => `tag ${index}`), '21 tags'],
  [documents, 'tag_names', ['x'.repeat(51)], 'a tag of 51 characters'],
  [projects, 'name', null, 'a null name'],
  [projects, 'name', 1, 'a numeric name'],
  [boards, 'is_done', 'yes', 'a string for is_done'],
];

const required: [Target, field: string][] = [
  [projects, 'name'],
  [projects, 'key'],
  [boards, 'name'],
  [tickets, 'title'],
  [documents, 'title'],
  [ticketComments, 'body_html'],
  [documentComments, 'body_html'],
];

/**
 * Rules for the specification's limits. Values at the limit are accepted, and values one character or item
 * longer are rejected.
 */
export const limitScenarios: Scenario[] = [
  ...lengths.flatMap(([target, field, limit]) => [
    rule(target.create, `accepts a ${field} of ${limit} characters`, async (harness) => {
      await harness.expectSuccess(...(await requestOf(harness, target, field, textOf('é', limit)(harness))));
    }),
    rejects(target, field, textOf('x', limit + 1), `a ${field} of ${limit + 1} characters`),
  ]),
  ...invalid.map(([target, field, value, title]) => rejects(target, field, () => value, title)),
  ...required.map(([target, field]) => rejects(target, field, () => undefined, `a body without ${field}`)),
];

function rejects(
  target: Target,
  field: string,
  valueFor: (harness: Harness) => unknown,
  title: string,
): Scenario {
  return rule(target.create, `rejects ${title} (422)`, async (harness) => {
    const request = await requestOf(harness, target, field, valueFor(harness));
    await harness.expectError(...request, 'validation_failed', field);
  });
}

/** Returns a function that creates a text of this length. It starts with the run's mark. */
function textOf(character: string, length: number) {
  return ({ mark }: Harness): string => mark + character.repeat(length - mark.length);
}

const requestOf = async (harness: Harness, { create, ids, body }: Target, field: string, value: unknown) =>
  [create, (await ids?.(harness)) ?? [], { body: { ...(await body?.(harness)), [field]: value } }] as const;
