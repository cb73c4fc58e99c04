import fc from 'fast-check';
import type { Model } from './model/state.js';

/** A reference to a record: usually a related one, sometimes an arbitrary or unknown one. */
export interface Named {
  from: 'near' | 'known' | 'nothing';
  index: number;
}

export const named: fc.Arbitrary<Named> = fc.record({
  from: fc.oneof(
    { weight: 12, arbitrary: fc.constant('near' as const) },
    { weight: 2, arbitrary: fc.constant('known' as const) },
    { weight: 1, arbitrary: fc.constant('nothing' as const) },
  ),
  index: fc.nat({ max: 7 }),
});

/** Converts references to record IDs. Related records belong to the credential's organization. */
export class Resolver {
  readonly #model: Model;
  readonly organizationId: string;

  constructor(model: Model, token: string | null) {
    this.#model = model;
    const credential = model.credentials.find((candidate) => candidate.token === token);
    this.organizationId = credential?.organization ?? 'org_acme';
  }

  organization = (name: Named): string =>
    pick(name, [this.organizationId], [...this.#model.organizations.keys()]);

  project = (name: Named): string => pick(name, this.#liveProjects(), [...this.#model.projects.keys()]);

  /** @param project - The project with the related boards. Defaults to all projects in the organization. */
  board = (name: Named, project?: string): string =>
    pick(name, this.liveBoards(project), [...this.#model.boards.keys()]);

  slug = (name: Named, project: string): string =>
    this.#model.boards.get(this.board(name, project))?.fields.slug ?? 'nothing';

  ticket = (name: Named, board?: string): string =>
    pick(name, this.liveTickets(board), [...this.#model.tickets.keys()]);

  document = (name: Named): string => {
    const near = [...this.#model.documents.values()]
      .filter(({ deleted, fields }) => !deleted && fields.organization_id === this.organizationId)
      .map(({ fields }) => fields.id);
    return pick(name, near, [...this.#model.documents.keys()]);
  };

  user = (name: Named): string => {
    const users = [...this.#model.organizations.values()].flatMap((organization) => organization.users);
    const near = this.#model.organizations.get(this.organizationId)?.users ?? [];
    return pick(
      name,
      near.map(({ id }) => id),
      users.map(({ id }) => id),
    );
  };

  label = (name: Named, project: string | undefined): string => {
    const labels = [...this.#model.projects.values()].flatMap((other) => other.labels);
    const near = this.#model.projects.get(project ?? '')?.labels ?? [];
    return pick(
      name,
      near.map(({ id }) => id),
      labels.map(({ id }) => id),
    );
  };

  projectOfTicket = (id: string): string | undefined =>
    this.#model.tickets.get(id)?.fields.project_id as string | undefined;

  projectOfBoard = (id: string): string | undefined => this.#model.boards.get(id)?.fields.project_id;

  liveBoards = (project?: string): string[] =>
    (project === undefined ? this.#liveProjects() : [project]).flatMap(
      (id) => this.#model.projects.get(id)?.boards ?? [],
    );

  liveTickets = (board?: string): string[] =>
    (board === undefined ? this.liveBoards() : [board]).flatMap(
      (id) => this.#model.boards.get(id)?.tickets ?? [],
    );

  #liveProjects = (): string[] =>
    [...this.#model.projects.values()]
      .filter(({ deleted, fields }) => !deleted && fields.organization_id === this.organizationId)
      .map(({ fields }) => fields.id);
}

function pick({ from, index }: Named, near: readonly string[], known: readonly string[]): string {
  const pool = from === 'near' && near.length > 0 ? near : from === 'nothing' ? [] : known;
  return pool[index % Math.max(1, pool.length)] ?? 'nothing';
}
