import { expectTypeOf, it } from 'vitest';
import type { MoveTicket, Page, PageList, Ticket } from 'worktrack';
import { type OperationId, operations } from 'worktrack/contract';
import type { MockServer } from 'worktrack/mock-server';

it("the result of a list call has the correct type whether it's read by item, by page, or as an array", () => {
  type List = PageList<Ticket>;
  expectTypeOf<List>().toExtend<AsyncIterable<Ticket>>();
  expectTypeOf<List>().toExtend<PromiseLike<Page<Ticket>>>();
  expectTypeOf<ReturnType<List['pages']>>().toExtend<AsyncIterable<Page<Ticket>>>();
  expectTypeOf<Awaited<ReturnType<List['toArray']>>>().toEqualTypeOf<Ticket[]>();
  expectTypeOf<Page<Ticket>['data']>().toEqualTypeOf<Ticket[]>();
  expectTypeOf<Awaited<ReturnType<Page<Ticket>['next']>>>().toEqualTypeOf<Page<Ticket> | undefined>();
});

it('an override has the parameter, payload, and result types of its operation', () => {
  const mock = {} as Pick<MockServer, 'override'>;
  const typed = () => {
    mock.override('tickets.move', async ({ params, body, operation }, next) => {
      expectTypeOf(params).toEqualTypeOf<{ ticket: string }>();
      expectTypeOf(body).toExtend<MoveTicket>();
      expectTypeOf(operation).toEqualTypeOf<'tickets.move'>();
      const moved = await next();
      expectTypeOf(moved).toEqualTypeOf<Ticket>();
      return { ...moved, title: 'Moved' };
    });
    // @ts-expect-error: a ticket isn't a board
    mock.override('boards.update', async () => ({ title: 'Launch' }));
    // @ts-expect-error: the operation is unknown
    mock.override('tickets.fly', () => new Response());
  };
  expectTypeOf(typed).toBeFunction();
});

it("operation IDs are literal types that determine the operation's type", () => {
  expectTypeOf<'tickets.comments.create'>().toExtend<OperationId>();
  expectTypeOf<'tickets.comment'>().not.toExtend<OperationId>();
  expectTypeOf<string>().not.toExtend<OperationId>();
  expectTypeOf(operations['tickets.move'].status).toEqualTypeOf<200>();
});
