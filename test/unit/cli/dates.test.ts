import { expect, onTestFinished, test, vi } from 'vitest';
import { toDateTime } from '../../../addons/cli/operations/dates.js';
import { commandLine } from './support/run.js';

function setTimeZone(zone: string): void {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const noon = '2026-11-23T12:00:00Z';

test.each([
  ['Europe/Berlin', noon, '2026-12-01', '2026-12-01T00:00:00+01:00'],
  ['Europe/Berlin', noon, '2026-07-01', '2026-07-01T00:00:00+02:00'],
  ['Europe/Berlin', noon, '2026-07-01T17:30', '2026-07-01T17:30:00+02:00'],
  ['Europe/Berlin', noon, '2026-07-01 17:30:15', '2026-07-01T17:30:15+02:00'],
  ['Europe/Berlin', noon, 'today', '2026-11-23T00:00:00+01:00'],
  ['Europe/Berlin', noon, 'Tomorrow', '2026-11-24T00:00:00+01:00'],
  ['Europe/Berlin', noon, '+3d', '2026-11-26T00:00:00+01:00'],
  ['Europe/Berlin', noon, '+2w', '2026-12-07T00:00:00+01:00'],
  // This day has only 23 hours, because daylight saving time starts.
  ['Europe/Berlin', '2026-03-28T23:30:00Z', '+1d', '2026-03-30T00:00:00+02:00'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '+2d', '2026-03-30T00:00:00+02:00'],
  ['Europe/Berlin', '2026-10-24T12:00:00Z', '+2d', '2026-10-26T00:00:00+01:00'],
  ['Europe/Berlin', noon, '2026-03-29T02:30', '2026-03-29T03:30:00+02:00'],
  // This day starts at 01:00.
  ['America/Sao_Paulo', noon, '2018-11-04', '2018-11-04T01:00:00-02:00'],
  // In New York, it's still the previous day.
  ['America/New_York', '2026-11-24T02:00:00Z', 'tomorrow', '2026-11-24T00:00:00-05:00'],
  ['Asia/Kolkata', noon, 'today', '2026-11-23T00:00:00+05:30'],
  ['America/St_Johns', noon, 'today', '2026-11-23T00:00:00-03:30'],
  ['Europe/Berlin', noon, '2026-12-01T09:00:00Z', '2026-12-01T09:00:00Z'],
  ['Europe/Berlin', noon, '2026-12-01T09:00:00.5-03:00', '2026-12-01T09:00:00.5-03:00'],
])('in the time zone %s at %s, the date %s is converted to %s', (zone, now, text, expected) => {
  setTimeZone(zone);
  expect(toDateTime(text, new Date(now))).toBe(expected);
});

test('a command accepts a date in the local time zone, and sends and prints it in RFC 3339 format', async () => {
  setTimeZone('Europe/Berlin');
  const { mock, run } = commandLine();
  mock.add.project({ key: 'APO' });
  mock.add.board();
  mock.add.ticket();
  const update = (date: string) =>
    run('tickets', 'update', 'APO-1', '--due_at', date, '--fields', 'due_at', '--tsv');
  expect(await update('2026-12-01')).toEqual({
    code: 0,
    output: '2026-11-30T23:00:00.000Z',
    errors: 'worktrack: due_at is 2026-12-01T00:00:00+01:00',
  });
  expect(await update('2026-12-01T09:00:00Z')).toMatchObject({ code: 0, errors: '' });
});
