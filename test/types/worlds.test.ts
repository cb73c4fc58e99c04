import { expect, expectTypeOf, it } from 'vitest';
import { createMockServer, type UserSeed, type World } from 'worktrack/mock-server';
import world from './support/world.json' with { type: 'json' };

it('seed data can be imported from JSON', () => {
  expectTypeOf(world).toExtend<World>();
  expect(createMockServer({ world }).state.tickets.all()).toHaveLength(1);
});

it('seed data can be stored in a variable with inferred string types', () => {
  const inline = { organizations: [{ name: 'Acme', users: [{ name: 'Ada', role: 'owner' }] }] };
  const constant = { organizations: [{ name: 'Acme', users: [{ name: 'Ada', role: 'owner' }] }] } as const;

  expect(createMockServer({ world: inline }).state.users.all()).toMatchObject([{ role: 'owner' }]);
  expect(createMockServer({ world: constant }).state.users.all()).toMatchObject([{ role: 'owner' }]);
});

it("invalid types and unknown fields don't compile", () => {
  expectTypeOf<{ name: string; role: number }>().not.toExtend<UserSeed>();
  expectTypeOf<{ organizations: [{ nmae: string }] }>().not.toExtend<World>();
});
