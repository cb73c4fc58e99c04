import { expectTypeOf, it } from 'vitest';
import type { Page, PageList, Ticket, Worktrack } from 'worktrack';
import type { OperationId } from 'worktrack/contract';
import type { SdkShape } from '../../src/sdk-shape.js';

it('the client has a method with the correct result type for every operation', () => {
  expectTypeOf<Worktrack>().toExtend<SdkShape>();
  expectTypeOf<SdkShape['tickets']['comments']>().toHaveProperty('create');
});

it("an operation without a client method doesn't compile", () => {
  expectTypeOf<Worktrack>().not.toExtend<SdkShape<OperationId | 'tickets.archive'>>();
  expectTypeOf<Worktrack>().not.toExtend<SdkShape<OperationId | 'webhooks.list'>>();
  expectTypeOf<Worktrack>().not.toExtend<SdkShape<OperationId | 'projects.tags.rename'>>();
});

it("a client method with the wrong result type doesn't compile", () => {
  type Wrong = Omit<Worktrack, 'organization'> & { organization: { get(): Promise<string> } };
  expectTypeOf<Wrong>().not.toExtend<SdkShape>();
});

it('every result has a named type', () => {
  type Tickets = Worktrack['tickets'];
  expectTypeOf<Awaited<ReturnType<Tickets['get']>>>().toEqualTypeOf<Ticket>();
  expectTypeOf<ReturnType<Tickets['list']>>().toEqualTypeOf<PageList<Ticket>>();
  expectTypeOf<Awaited<ReturnType<Tickets['list']>>>().toEqualTypeOf<Page<Ticket>>();
  expectTypeOf<Awaited<ReturnType<Tickets['delete']>>>().toEqualTypeOf<undefined>();
});

it("invalid inputs don't compile", () => {
  type Create = Parameters<Worktrack['tickets']['create']>[1];
  expectTypeOf<{ title: string; board_id: string; due_at: Date }>().toExtend<Create>();
  expectTypeOf<{ title: string; board_id: string; board_slug: string }>().not.toExtend<Create>();
  expectTypeOf<{ title: string }>().not.toExtend<Create>();
});
