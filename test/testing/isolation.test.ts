import { test as base, describe, expect } from 'vitest';
import { fixtures } from 'worktrack/testing';

const test = base.extend(fixtures);
const count = 20;

describe.concurrent(`${count} concurrent tests with separate seed data`, () => {
  test.for(Array.from({ length: count }, (_, index) => index))(
    'test %i sees only its own data',
    async (index, { mock, client }) => {
      const project = await client.projects.create({ name: `Project ${index}`, key: `P${index}` });
      const board = await client.boards.create(project.id, { name: 'Board', wip_limit: 2 });
      for (const title of ['One', 'Two'])
        await client.tickets.create(project.id, { board_id: board.id, title });
      mock.clock.advance(index * 1000);
      await client.tickets.delete((await client.tickets.list(project.id)).data[0]?.id ?? '');

      expect((await client.projects.list()).map(({ name }) => name)).toEqual([`Project ${index}`]);
      expect(mock.state.tickets.all()).toMatchObject([{ title: 'Two', position: 0, number: 2 }]);
      expect(mock.clock.milliseconds()).toBe(Date.parse('2026-01-01T00:00:00Z') + index * 1000);
      expect(mock.requests.length).toBe(7);
    },
  );
});
