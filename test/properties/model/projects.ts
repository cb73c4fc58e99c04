import { archivedAt, change, type ModelRules, membersOf, projectOf } from './rule.js';
import type { Model, ModelProject } from './state.js';

/** Operations for a project and its members, labels, tags, and analytics. */
export const projectModel: Pick<
  ModelRules,
  | 'projects.get'
  | 'projects.update'
  | 'projects.delete'
  | 'projects.members.list'
  | 'projects.labels.list'
  | 'projects.tags.list'
  | 'projects.analytics.get'
> = {
  'projects.get': ({ model, ids }) => projectOf(model, ids.project).fields,

  'projects.update'({ model, ids, body }) {
    const { fields } = projectOf(model, ids.project);
    const { name, description, archived } = body;
    change(model, fields, { name, description, archived_at: archivedAt(model, fields, archived) });
    return fields;
  },

  'projects.delete'({ model, ids }) {
    projectOf(model, ids.project).deleted = true;
  },

  'projects.members.list': ({ model, organization, ids }) =>
    membersOf(organization, projectOf(model, ids.project)).map(({ id, name, email, role }) => ({
      id,
      name,
      email,
      role,
    })),

  'projects.labels.list': ({ model, ids }) => projectOf(model, ids.project).labels,

  'projects.tags.list'({ model, ids }) {
    const counts = new Map<string, { id: string; name: string; ticket_count: number }>();
    for (const { tags } of ticketsOf(model, projectOf(model, ids.project))) {
      for (const tag of tags as { id: string; name: string }[]) {
        const { ticket_count } = counts.get(tag.id) ?? { ticket_count: 0 };
        counts.set(tag.id, { ...tag, ticket_count: ticket_count + 1 });
      }
    }
    return [...counts.values()];
  },

  'projects.analytics.get'({ model, ids }) {
    const project = projectOf(model, ids.project);
    const boards = project.boards.flatMap((id) => model.boards.get(id) ?? []);
    const on = (done: boolean) => boards.filter(({ fields }) => fields.is_done === done);
    const count = (some: typeof boards) => some.reduce((sum, { tickets }) => sum + tickets.length, 0);
    const [total, done] = [count(boards), count(on(true))];
    const overdue = on(false)
      .flatMap(({ tickets }) => tickets)
      .filter((id) => Date.parse(model.tickets.get(id)?.fields.due_at ?? '') < model.now);
    return {
      total,
      done,
      open: total - done,
      overdue: overdue.length,
      completion_percentage: total === 0 ? 0 : Math.round((100 * done) / total),
      by_board: boards.map(({ fields, tickets }) => ({
        board_id: fields.id,
        board_name: fields.name,
        count: tickets.length,
        done: fields.is_done,
      })),
    };
  },
};

const ticketsOf = (model: Model, { boards }: ModelProject) =>
  boards.flatMap((board) =>
    (model.boards.get(board)?.tickets ?? []).flatMap((id) => model.tickets.get(id)?.fields ?? []),
  );
