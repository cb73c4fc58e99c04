import type { OperationId } from '../../src/contract/index.js';
import type { Json, Lab } from '../lab.js';
import { rule, type Scenario } from '../scenario.js';

/** What a field's limit is tried on: the body around it, and the ids of the path. */
interface Target {
  create: OperationId;
  /** A body that is accepted, but for the field. */
  body: object;
  /** The ids of the path, after what has to be there was made. */
  ids(lab: Lab): Promise<string[]>;
  /** Takes away what an accepted request made, where no project takes it along. */
  drop?(lab: Lab, made: Json): Promise<unknown>;
}

const inOrganization = async (): Promise<string[]> => [];
const inProject = async (lab: Lab): Promise<string[]> => [(await lab.project()).id];

const projects: Target = {
  create: 'projects.create',
  body: { name: 'Conformance', key: 'CONF' },
  ids: inOrganization,
  drop: (lab, { id }) => lab.call('projects.delete', [id]),
};
const boards: Target = { create: 'boards.create', body: { name: 'Board' }, ids: inProject };
const tickets: Target = {
  create: 'tickets.create',
  body: { title: 'Ticket', board_slug: 'board' },
  async ids(lab) {
    const project = await lab.project();
    await lab.board(project);
    return [project.id];
  },
};
const documents: Target = {
  create: 'documents.create',
  body: { title: 'Conformance' },
  ids: inOrganization,
  drop: (lab, { id }) => lab.call('documents.delete', [id]),
};
const ticketComments: Target = {
  create: 'tickets.comments.create',
  body: {},
  async ids(lab) {
    const {
      tickets: [ticket],
    } = await lab.stage();
    return [ticket.id];
  },
};
const documentComments: Target = {
  create: 'documents.comments.create',
  body: {},
  ids: async (lab) => [(await lab.document()).id],
};

/** The longest texts that are accepted, in characters. */
const texts: [Target, field: string, most: number][] = [
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

/** Values that are refused, whatever else the request holds. */
const refused: [Target, field: string, value: unknown, why: string][] = [
  [boards, 'wip_limit', 0, 'a WIP limit of 0'],
  [boards, 'wip_limit', 1.5, 'a WIP limit that is no integer'],
  [tickets, 'priority', 'urgent', 'a priority that is none'],
  [tickets, 'due_at', 'tomorrow', 'a due date that is no date-time'],
  [documents, 'status', 'archived', 'a status that is none'],
  [documents, 'tag_names', Array.from({ length: 21 }, (_, index) => `tag ${index}`), '21 tags'],
  [documents, 'tag_names', ['x'.repeat(51)], 'a tag of 51 characters'],
  [documents, 'editor_ids', Array.from({ length: 101 }, (_, index) => `user ${index}`), '101 editors'],
  [projects, 'name', null, 'null as its name'],
  [projects, 'name', 1, 'a number as its name'],
  [boards, 'is_done', 'yes', 'text as is_done'],
];

/** Fields without which nothing is made. */
const required: [Target, field: string][] = [
  [projects, 'name'],
  [projects, 'key'],
  [boards, 'name'],
  [tickets, 'title'],
  [documents, 'title'],
  [ticketComments, 'body_html'],
  [documentComments, 'body_html'],
];

/** The specification's table of limits, each at its figure and one beyond. */
export const limitScenarios: Scenario[] = [
  ...texts.flatMap(([target, field, most]) => [
    rule(target.create, `accepts ${field} of ${most} characters`, (lab) =>
      accepts(lab, target, field, 'é'.repeat(most)),
    ),
    rule(target.create, `refuses ${field} of ${most + 1} characters (422)`, (lab) =>
      refuses(lab, target, field, 'x'.repeat(most + 1)),
    ),
  ]),
  ...refused.map(([target, field, value, why]) =>
    rule(target.create, `refuses ${why} (422)`, (lab) => refuses(lab, target, field, value)),
  ),
  ...required.map(([target, field]) =>
    rule(target.create, `refuses a body without ${field} (422)`, (lab) =>
      refuses(lab, target, field, undefined),
    ),
  ),
];

async function accepts(
  lab: Lab,
  { create, body, ids, drop }: Target,
  field: string,
  value: unknown,
): Promise<void> {
  const answer = await lab.call(create, await ids(lab), { body: { ...body, [field]: value } });
  const made = lab.succeeds(answer, 201);
  if (drop) lab.cleanUp(() => drop(lab, made));
}

async function refuses(
  lab: Lab,
  { create, body, ids, drop }: Target,
  field: string,
  value: unknown,
): Promise<void> {
  const answer = await lab.call(create, await ids(lab), { body: { ...body, [field]: value } });
  if (answer.status === 201 && drop) lab.cleanUp(() => drop(lab, answer.data));
  lab.refuses(answer, 'validation_failed', field);
}
