import { expect } from 'vitest';
import type { Mock } from '../rules/world.js';
import type { Model } from './model/state.js';

/** Checks the invariants that hold after any sequence of requests. */
export function expectInvariants({ state }: Mock): void {
  const boards = state.boards.all();
  const tickets = state.tickets.all();
  for (const { id } of state.projects.all()) {
    const own = boards.filter(({ project_id }) => project_id === id);
    expectPlaces(own, `positions of the boards of ${id}`);
    expectUnique(
      own.map(({ slug }) => slug),
      `slugs in ${id}`,
    );
    expectUnique(
      tickets.filter(({ project_id }) => project_id === id).map(({ number }) => number),
      `numbers in ${id}`,
    );
  }
  for (const { id } of boards) {
    expectPlaces(
      tickets.filter(({ board_id }) => board_id === id),
      `positions of the tickets on ${id}`,
    );
  }
  for (const { id, board_id, project_id } of tickets) {
    const board = boards.find((candidate) => candidate.id === board_id);
    expect(board?.project_id, `the board of ${id} exists in its project`).toBe(project_id);
  }
}

/** Asserts that the server has exactly the model's live records. */
export function expectInventory({ state }: Mock, model: Model): void {
  const boards = [...model.projects.values()]
    .filter(({ deleted }) => !deleted)
    .flatMap((project) => project.boards);
  const tickets = boards.flatMap((id) => model.boards.get(id)?.tickets ?? []);
  const documents = [...model.documents.values()].filter(({ deleted }) => !deleted);
  expect(ids(state.boards.all())).toEqual([...boards].sort());
  expect(ids(state.tickets.all()), 'no ticket is lost or duplicated').toEqual(tickets.sort());
  expect(ids(state.documents.all())).toEqual(ids(documents.map(({ fields }) => fields)));
}

/** Each board's ticket count and WIP limit. */
export type Load = ReadonlyMap<string, { count: number; limit: number | null }>;

export function load({ state }: Mock): Load {
  const counts = new Map<string, number>();
  for (const { board_id } of state.tickets.all()) counts.set(board_id, (counts.get(board_id) ?? 0) + 1);
  return new Map(
    state.boards.all().map(({ id, wip_limit }) => [id, { count: counts.get(id) ?? 0, limit: wip_limit }]),
  );
}

/** Asserts that no board accepted a ticket beyond its WIP limit. */
export function expectNoOverload(before: Load, after: Load): void {
  for (const [id, { count, limit }] of after) {
    if (count <= (before.get(id)?.count ?? 0) || limit === null) continue;
    expect(count, `${id} received a ticket beyond its limit`).toBeLessThanOrEqual(limit);
  }
}

/** Asserts that a response contains no records from another organization. */
export function expectNothingForeign(model: Model, token: string | null, response: string): void {
  const own = model.credentials.find((credential) => credential.token === token)?.organization;
  const foreign = [...model.projects.values(), ...model.documents.values()].filter(
    ({ fields }) => fields.organization_id !== own,
  );
  for (const { fields } of foreign) expect(response).not.toContain(`"${fields.id}"`);
}

/** Serializes a server's complete state. Equal states produce equal strings. */
export const stateText = ({ state }: Mock): string =>
  JSON.stringify([
    state.organizations.all(),
    state.projects.all(),
    state.boards.all(),
    state.tickets.all(),
    state.documents.all(),
    state.comments.all(),
    state.notifications.all(),
  ]);

const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id).sort();

function expectPlaces(records: readonly { position: number }[], what: string): void {
  const places = records.map(({ position }) => position).sort((a, b) => a - b);
  expect(places, what).toEqual([...places.keys()]);
}

const expectUnique = (values: readonly unknown[], what: string) =>
  expect(new Set(values).size, `${what} are unique`).toBe(values.length);
