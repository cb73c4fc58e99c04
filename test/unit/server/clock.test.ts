import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';

const start = '2026-01-01T00:00:00.000Z';

test("the time on the clock doesn't change unless a test advances or sets it", () => {
  const { clock } = createMockServer();
  expect(clock.frozen).toBe(true);
  expect(clock.iso()).toBe(start);

  clock.advance(1500);
  expect(clock.now()).toEqual(new Date('2026-01-01T00:00:01.500Z'));
  clock.set('2027-05-05T12:00:00+02:00');
  expect(clock.iso()).toBe('2027-05-05T10:00:00.000Z');
  clock.advance(-1000);
  expect(clock.iso()).toBe('2027-05-05T09:59:59.000Z');
  for (const limit of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
    clock.set(limit);
    expect(clock.iso()).toBe(limit);
  }
});

test('the clock can run in real time and can be set, frozen, and reset', () => {
  const before = Date.now();
  const mock = createMockServer({ now: 'real' });
  const { clock } = mock;
  expect(clock.frozen).toBe(false);
  expect(clock.milliseconds()).toBeGreaterThanOrEqual(before);
  clock.advance(-60_000);
  clock.useSystemTime();
  expect(clock.milliseconds()).toBeGreaterThanOrEqual(before);
  expect(clock.milliseconds()).toBeLessThan(before + 60_000);

  clock.set('2030-01-01T00:00:00Z');
  expect(clock.iso()).toMatch(/^2030-01-01T00:0/);
  clock.freeze('2031-01-01T00:00:00Z');
  expect(clock.iso()).toBe('2031-01-01T00:00:00.000Z');
  mock.reset();
  expect(clock.frozen).toBe(false);
  expect(clock.milliseconds()).toBeLessThan(before + 60_000);
});

test.each([
  '2026-06-01T09:00:00',
  '2026-06-01',
  'March 7',
  '2026-02-30T00:00:00Z',
  Number.NaN,
  new Date(Number.NaN),
  Date.UTC(10_000, 0),
  Date.UTC(-1, 11, 31, 23, 59, 59, 999),
  {} as never,
  [start] as never,
])("the clock rejects %j, which isn't a valid point in time", (at) => {
  const { clock } = createMockServer();

  expect(() => createMockServer({ now: at })).toThrow('option "now" is not a valid time');
  expect(() => clock.set(at)).toThrow('RFC 3339 string with an offset');
  expect(() => clock.freeze(at)).toThrow(TypeError);
  expect(clock.iso()).toBe(start);
});

test('clock.set and clock.advance explain what is invalid', () => {
  const { clock } = createMockServer();
  expect(() => clock.set(Number.NaN)).toThrow(
    new TypeError(
      'not a valid time: NaN; pass a Date, a Unix timestamp in milliseconds, ' +
        'or an RFC 3339 string with an offset (2026-01-01T09:00:00Z)',
    ),
  );
  expect(() => clock.advance(Number.NaN)).toThrow(
    new TypeError('clock.advance: expected a number of milliseconds (got NaN)'),
  );
});

test('a running clock is still running after its state is exported and loaded', () => {
  const source = createMockServer({ now: 'real' });
  source.clock.set('5000-01-01T00:00:00Z');
  const { clock } = createMockServer({ state: source.export() });

  expect(clock.frozen).toBe(false);
  expect(clock.iso()).toMatch(/^5000-01-01T00:0/);
});

test('a running clock stops at the end of the year 9999', async () => {
  const mock = createMockServer({ now: 'real' });
  mock.clock.set('9999-12-31T23:59:59.990Z');
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(mock.clock.iso()).toBe('9999-12-31T23:59:59.999Z');
  expect(createMockServer({ state: mock.export() }).clock.iso()).toBe('9999-12-31T23:59:59.999Z');
  const snapshot = mock.snapshot();
  mock.restore(snapshot);
  expect(mock.add.organization().created_at).toBe('9999-12-31T23:59:59.999Z');
});

test.each([
  { frozen: Date.UTC(10_000, 0), offset: 0 },
  { frozen: 'soon', offset: 0 },
  { frozen: '2026-01-01T00:00:00Z', offset: 0 },
  { offset: 8e15 },
  { offset: -7e13 },
  { offset: null },
  { offset: '1' },
])('createMockServer rejects a state in which the clock is %j', (clock) => {
  const state = { ...createMockServer().export(), clock: clock as never };
  expect(() => createMockServer({ state })).toThrow('state.clock is outside the years 0 to 9999');
});
