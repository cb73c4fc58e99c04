import { expect, it } from 'vitest';
import { fakeNotes } from './bullmq-fakes.js';

it('notes.putIfAbsent keeps the first value', async () => {
  const { notes } = fakeNotes();
  expect(await notes.putIfAbsent('a', 'first')).toBe('first');
  expect(await notes.putIfAbsent('a', 'second')).toBe('first');
  expect(await notes.get('a')).toBe('first');
});

it('notes.putIfAbsent tries again if another worker removes the note immediately', async () => {
  let reads = 0;
  const { notes, jobs } = fakeNotes({
    async getJob(id) {
      if (reads++ === 0) jobs.delete(id);
      return jobs.get(id) as never;
    },
  });
  jobs.set('a', { id: 'a', data: { value: 'theirs' } });
  expect(await notes.putIfAbsent('a', 'mine')).toBe('mine');
});

it('notes.remove ignores missing notes and other values', async () => {
  const { notes } = fakeNotes();
  await notes.remove('a', 'first');
  await notes.putIfAbsent('a', 'first');
  await notes.remove('a', 'second');
  expect(await notes.get('a')).toBe('first');
  await notes.remove('a', 'first');
  expect(await notes.get('a')).toBeUndefined();
});

it('notes.list returns the values of all notes with a prefix', async () => {
  const { notes } = fakeNotes();
  for (const id of ['doubt-a', 'group-b', 'doubt-c']) await notes.putIfAbsent(id, `value of ${id}`);
  expect(await notes.list('doubt-')).toEqual(['value of doubt-a', 'value of doubt-c']);
});
