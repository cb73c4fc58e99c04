import { afterEach, expect, it, vi } from 'vitest';
import { race, TimeLimit } from '../../../src/shared/abort.js';

afterEach(() => {
  vi.useRealTimers();
});

/** Creates a time limit and a function that aborts its parent signal. */
function createLimit(milliseconds = 1000) {
  const controller = new AbortController();
  return { limit: new TimeLimit(milliseconds, controller.signal), abort: () => controller.abort() };
}

it('a time limit aborts with a TimeoutError when it expires', async () => {
  vi.useFakeTimers();
  const limit = new TimeLimit(100);
  await vi.advanceTimersByTimeAsync(99);
  expect([limit.aborted, limit.reason]).toEqual([false, undefined]);
  await vi.advanceTimersByTimeAsync(1);
  expect(limit.aborted).toBe(true);
  expect(limit.reason).toMatchObject({ name: 'TimeoutError', message: 'The operation timed out' });
});

it('a time limit aborts only once, and its reason never changes', async () => {
  vi.useFakeTimers();
  const { limit, abort } = createLimit(100);
  let calls = 0;
  limit.listen(() => calls++);
  abort();
  const { reason } = limit;
  expect(reason).toMatchObject({ name: 'AbortError' });
  await vi.advanceTimersByTimeAsync(200);
  expect([calls, limit.reason]).toEqual([1, reason]);
  limit.close();
});

it('a time limit always returns the same signal, which aborts when the limit does', () => {
  const early = createLimit();
  const { signal } = early.limit;
  expect(early.limit.signal).toBe(signal);
  early.abort();
  expect([signal.aborted, signal.reason]).toEqual([true, early.limit.reason]);
  early.limit.close();
  const late = createLimit();
  late.abort();
  expect([late.limit.signal.aborted, late.limit.signal.reason]).toEqual([true, late.limit.reason]);
  late.limit.close();
});

it('limit.listen calls each listener on abort, or immediately if the limit has already aborted, unless the listener was removed', () => {
  const { limit, abort } = createLimit();
  const called: string[] = [];
  limit.listen(() => called.push('stays'));
  limit.listen(() => called.push('removed'))();
  abort();
  limit.listen(() => called.push('late'));
  expect(called).toEqual(['stays', 'late']);
  limit.close();
});

it("a time limit that exceeds the maximum timer delay doesn't set a timer", () => {
  vi.useFakeTimers();
  for (const milliseconds of [2 ** 31, Number.POSITIVE_INFINITY]) new TimeLimit(milliseconds);
  expect(vi.getTimerCount()).toBe(0);
  const longest = new TimeLimit(2 ** 31 - 1);
  expect(vi.getTimerCount()).toBe(1);
  longest.close();
});

it("race settles with the promise's result, or rejects if the time limit expires first", async () => {
  const { limit, abort } = createLimit();
  expect(await race(Promise.resolve(1), limit)).toBe(1);
  await expect(race(Promise.reject(new Error('lost')), limit)).rejects.toThrow('lost');
  const pending = race(new Promise(() => {}), limit);
  abort();
  await expect(pending).rejects.toBe(limit.reason);
  await expect(race(new Promise(() => {}), limit)).rejects.toBe(limit.reason);
  limit.close();
});

it('time limits share one listener on a signal until the last of them is closed', () => {
  const { signal, abort } = withListenerCount(new AbortController());
  const limits = Array.from({ length: 20 }, () => new TimeLimit(1000, signal));
  expect(signal.listeners).toBe(1);
  for (const limit of limits) limit.close();
  expect(signal.listeners).toBe(0);

  const [first, second] = [new TimeLimit(1000, signal), new TimeLimit(1000, signal)];
  first.close();
  first.close();
  expect(signal.listeners).toBe(1);
  abort();
  expect([first.aborted, second.aborted]).toEqual([false, true]);
  second.close();
  expect(signal.listeners).toBe(0);
});

/** Counts the listeners on a controller's signal. */
function withListenerCount(controller: AbortController) {
  const signal = Object.assign(controller.signal, { listeners: 0 });
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  signal.addEventListener = (...args: unknown[]) => {
    signal.listeners += 1;
    addEventListener.apply(signal, args as never);
  };
  signal.removeEventListener = (...args: unknown[]) => {
    signal.listeners -= 1;
    removeEventListener.apply(signal, args as never);
  };
  return { signal, abort: () => controller.abort() };
}
