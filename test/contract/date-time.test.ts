import { expect, test } from 'vitest';
import { parseDateTime } from 'worktrack/contract';
import { checkEach } from '../support/check-each.js';

test('C-10 parseDateTime parses RFC 3339 date-times with any offset', async () => {
  await checkEach(
    [
      ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
      ['2026-03-01t09:30:00.1234567+05:30', '2026-03-01T04:00:00.123Z'],
      ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
      ['2016-12-31T18:59:60-05:00', '2017-01-01T00:00:00.000Z'],
      ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ],
    ([text, instant]) => {
      expect(parseDateTime(text)?.toISOString()).toBe(instant);
    },
  );
});

test('C-10 parseDateTime returns undefined for other strings', async () => {
  await checkEach(
    [
      '2026-03-01',
      '2026-03-01T09:30Z',
      '2026-03-01T09:30:00',
      '2026-03-01 09:30:00Z',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-03-01T24:00:00Z',
      '2026-03-01T09:60:00Z',
      '2026-03-01T09:30:00+24:00',
      '2026-03-01T09:30:60Z',
      '9999-12-31T23:59:60Z',
      '9999-12-31T23:59:59-00:01',
      '0000-01-01T00:00:00+00:01',
      '+010000-01-01T00:00:00Z',
      '',
    ],
    (text) => {
      expect(parseDateTime(text)).toBeUndefined();
    },
  );
});
