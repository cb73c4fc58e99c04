import { expectTypeOf, it } from 'vitest';
import type { Document, Ticket, Worktrack } from 'worktrack';

const client = {} as Worktrack;
const ticket = { board_id: 'brd_todo', title: 'Fuel' };
const document = { title: 'Plan' };
const signal = AbortSignal.any([]);

it('findOrCreate accepts a key or a function that identifies the record', () => {
  const typed = async () => {
    const byKey = await client.tickets.findOrCreate('p', ticket, { key: 'form-123', signal });
    expectTypeOf(byKey).toEqualTypeOf<Ticket>();
    const byMatch = await client.documents.findOrCreate(document, {
      match: (found) => {
        expectTypeOf(found).toEqualTypeOf<Document>();
        return found.title === 'Plan';
      },
      q: 'Plan',
    });
    expectTypeOf(byMatch).toEqualTypeOf<Document>();
  };
  expectTypeOf(typed).toBeFunction();
});

it('findOrCreate compiles only if either key or match is set, but not both', () => {
  const typed = () => {
    // @ts-expect-error: the options are missing
    client.tickets.findOrCreate('p', ticket);
    // @ts-expect-error: neither is set
    client.tickets.findOrCreate('p', ticket, {});
    // @ts-expect-error: call options don't identify a ticket
    client.tickets.findOrCreate('p', ticket, { signal });
    // @ts-expect-error: a search string doesn't identify a ticket
    client.tickets.findOrCreate('p', ticket, { q: 'Fuel' });
    // @ts-expect-error: both are set
    client.tickets.findOrCreate('p', ticket, { key: 'form-123', match: () => true });
    // @ts-expect-error: a key can't be combined with a search string
    client.tickets.findOrCreate('p', ticket, { key: 'form-123', q: 'Fuel' });
    // @ts-expect-error: the options are missing
    client.documents.findOrCreate(document);
    // @ts-expect-error: neither is set
    client.documents.findOrCreate(document, {});
    // @ts-expect-error: both are set
    client.documents.findOrCreate(document, { key: 'plan', match: () => true });
  };
  expectTypeOf(typed).toBeFunction();
});

it('findByKey returns a record or undefined', () => {
  const typed = async () => {
    expectTypeOf(await client.tickets.findByKey('p', 'form-123', { signal })).toEqualTypeOf<
      Ticket | undefined
    >();
    const imported = await client.documents.findByKey('APO-1', { source: 'Jira' });
    expectTypeOf(imported).toEqualTypeOf<Document | undefined>();
    // @ts-expect-error: the project is missing
    client.tickets.findByKey('form-123');
  };
  expectTypeOf(typed).toBeFunction();
});

it("a complete read can't have a limit", () => {
  const typed = () => {
    // @ts-expect-error: the options are mutually exclusive
    client.tickets.list('p').toArray({ complete: true, limit: 5 });
  };
  expectTypeOf(typed).toBeFunction();
});
