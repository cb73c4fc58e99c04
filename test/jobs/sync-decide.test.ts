import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideField,
  decideRow,
  editedFields,
  type FieldDecision,
  type FieldState,
} from '../../addons/jobs/sync-decide.js';

/** The last write sent `a`, and the server stored it as `A`. */
const last = { sent: 'a', stored: 'A' };

describe('decideField', () => {
  it.each<[string, Partial<FieldState>, FieldDecision]>([
    ['the row does not set the field', { source: undefined, current: 'x' }, 'unchanged'],
    ['nothing changed', { source: 'a', current: 'A', last }, 'unchanged'],
    ['only a person changed the record', { source: 'a', current: 'p', last }, 'unchanged'],
    ['only the source changed', { source: 'b', current: 'A', last }, 'write'],
    ['both changed', { source: 'b', current: 'p', last }, 'conflict'],
    ['both changed to the same value', { source: 'b', current: 'b', last }, 'adopt'],
    ['a person undid a normalization', { source: 'a', current: 'a', last }, 'unchanged'],
    ['the source now contains the stored form', { source: 'A', current: 'A', last }, 'adopt'],
    ['the field was never sent', { source: 'b', current: 'A', last: { sent: '', stored: 'A' } }, 'write'],
    [
      'the field was never sent, and a person set it',
      { source: 'b', current: 'p', last: { sent: '', stored: 'A' } },
      'conflict',
    ],
    ['the book was lost, and the values are the same', { source: 'a', current: 'a' }, 'adopt'],
    ['the book was lost, and the values differ', { source: 'a', current: 'A' }, 'conflict'],
    ['a write was started and arrived', { source: 'b', current: 'b', last, pending: 'b' }, 'adopt'],
    ['a write was started and did not arrive', { source: 'b', current: 'A', last, pending: 'b' }, 'write'],
    [
      'a write arrived, and the source changed again',
      { source: 'c', current: 'b', last, pending: 'b' },
      'write',
    ],
    [
      'a write arrived, and the source changed back',
      { source: 'a', current: 'b', last, pending: 'b' },
      'write',
    ],
    [
      'a write did not arrive, and the source changed back',
      { source: 'a', current: 'A', last, pending: 'b' },
      'unchanged',
    ],
    [
      'a write may have arrived, and the record has an unknown value',
      { source: 'b', current: 'p', last, pending: 'b' },
      'conflict',
    ],
    [
      'a write may have arrived, the source changed back, and the record has an unknown value',
      { source: 'a', current: 'p', last, pending: 'b' },
      'conflict',
    ],
  ])('if %s: %o is %s', (_, state, decision) => {
    expect(
      decideField({ source: undefined, current: '', last: undefined, pending: undefined, ...state }),
    ).toBe(decision);
  });

  it('never writes over a value that the book does not know, whatever changed before', () => {
    const values = fc.constantFrom(undefined, 'a', 'A', 'b', 'p');
    const states = fc.record({ source: values, sent: values, stored: values, pending: values });
    const check = ({
      source,
      sent,
      stored,
      pending,
    }: Record<'source' | 'sent' | 'stored' | 'pending', string | undefined>) => {
      const known = sent && stored ? { sent, stored } : undefined;
      const decision = decideField({ source, current: 'someone else', last: known, pending });
      expect(decision).not.toBe('write');
      expect(decision).not.toBe('adopt');
    };
    fc.assert(fc.property(states, check), { numRuns: 1000 });
  });
});

describe('decideRow', () => {
  const source = { title: 'b', priority: 'high', due_at: 'd' };
  const current = { title: 'p', priority: 'A', due_at: 'd', archived: 'no' };
  const fields = {
    title: last,
    priority: { sent: 'low', stored: 'A' },
    archived: { sent: '', stored: 'no' },
  };

  it('decides field by field, and remembers the values that are already the same', () => {
    expect(decideRow(source, current, { fields }, 'report')).toEqual({
      writes: ['priority'],
      conflicts: ['title'],
      fields: { ...fields, due_at: { sent: 'd', stored: 'd' } },
    });
  });

  it.each([
    ['source', { writes: ['title', 'priority'], title: last }],
    ['target', { writes: ['priority'], title: { sent: 'b', stored: 'p' } }],
  ] as const)('resolves conflicts in favor of the %s', (policy, { writes, title }) => {
    const decision = decideRow(source, current, { fields }, policy);
    expect([decision.writes, decision.conflicts, decision.fields.title]).toEqual([writes, [], title]);
  });
});

it('editedFields returns the fields whose values are neither the stored ones nor those of a started write', () => {
  const fields = { title: last, priority: last, due_at: last, caption: last };
  const current = { title: 'A', priority: 'p', due_at: 'b' };
  expect(editedFields(current, { fields, pending: { due_at: 'b' } })).toEqual(['priority']);
});
