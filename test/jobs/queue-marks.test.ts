import { expect, it } from 'vitest';
import { SharedMarks } from '../../addons/jobs/queue-marks.js';

/** Creates marks whose reads end when they're told to. */
function setUp() {
  const reads: { end(byKey: Map<string, string[]>): void; fail(error: Error): void }[] = [];
  const marks = new SharedMarks(
    () => new Promise((resolve, reject) => reads.push({ end: (byKey) => resolve({ byKey }), fail: reject })),
  );
  const tick = () => new Promise((resolve) => setTimeout(resolve));
  return { marks, reads, tick };
}

const found = (...ids: string[]) => new Map([['a', ids]]);

it('rows that need a read at the same time share one, and rows that arrive later share the next', async () => {
  const { marks, reads, tick } = setUp();
  const early = [marks.idOf('a', true), marks.idOf('a', undefined), marks.idOf('b', true)];
  await tick();
  const late = [marks.idOf('a', true), marks.idOf('a', true)];
  await tick();
  expect(reads).toHaveLength(1);
  reads[0]?.end(new Map());
  expect(await Promise.all(early)).toEqual([undefined, undefined, undefined]);
  await tick();
  expect(reads).toHaveLength(2);
  reads[1]?.end(found('one', 'two'));
  expect(await Promise.all(late)).toEqual(['one', 'one']);
  expect(await marks.idOf('a', undefined)).toBe('one');
  expect(await marks.idOf('a', Date.now() - 60_000)).toBe('one');
  expect(reads).toHaveLength(2);
});

it('a failed read fails the rows that share it, and the next row reads again', async () => {
  const { marks, reads, tick } = setUp();
  const failing = [marks.idOf('a', true), marks.idOf('a', true)];
  await tick();
  reads[0]?.fail(new Error('unavailable'));
  for (const one of failing) await expect(one).rejects.toThrow('unavailable');
  const next = marks.idOf('a', undefined);
  await tick();
  reads[1]?.end(found('one'));
  expect(await next).toBe('one');
});
