import { afterEach, expect, it, vi } from 'vitest';
import { Limit, race, wait } from '../../../src/http/interrupt.js';

afterEach(() => {
  vi.useRealTimers();
});

it('a limit ends when its time is up, and says why as the platform does', async () => {
  vi.useFakeTimers();
  const bounds = new Limit(100);
  await vi.advanceTimersByTimeAsync(99);
  expect([bounds.aborted, bounds.reason]).toEqual([false, undefined]);
  await vi.advanceTimersByTimeAsync(1);
  expect(bounds.aborted).toBe(true);
  expect(bounds.reason).toMatchObject({ name: 'TimeoutError', message: 'The time is up' });
});

it('a limit that is ended says so, and the first end counts', () => {
  const bounds = new Limit(1000);
  let calls = 0;
  bounds.listen(() => calls++);
  bounds.abort();
  const { reason } = bounds;
  expect(reason).toMatchObject({ name: 'AbortError', message: 'No longer wanted' });
  bounds.abort();
  expect([calls, bounds.reason]).toEqual([1, reason]);
  bounds.close();
});

it('a limit ends with what it is part of, for the same reason', () => {
  const controller = new AbortController();
  const whole = new Limit(1000, controller.signal);
  const part = new Limit(1000, whole);
  const reason = new Error('closed the tab');
  controller.abort(reason);
  expect([whole.reason, part.reason]).toEqual([reason, reason]);
  expect(new Limit(1000, whole).reason).toBe(reason);
  for (const bounds of [whole, part]) bounds.close();
});

it('a limit has one signal, whenever it is asked for', () => {
  const bounds = new Limit(1000);
  const { signal } = bounds;
  expect(bounds.signal).toBe(signal);
  bounds.abort();
  expect([signal.aborted, signal.reason]).toEqual([true, bounds.reason]);
  bounds.close();
  const ended = new Limit(1000);
  ended.abort();
  expect([ended.signal.aborted, ended.signal.reason]).toEqual([true, ended.reason]);
  ended.close();
});

it('a listener is called at the end, at once after it, and no more once it is taken back', () => {
  const bounds = new Limit(1000);
  const called: string[] = [];
  bounds.listen(() => called.push('stays'));
  bounds.listen(() => called.push('leaves'))();
  bounds.abort();
  bounds.listen(() => called.push('late'));
  expect(called).toEqual(['stays', 'late']);
  bounds.close();
});

it('a limit that is closed leaves no timer, and does not end with its parent', () => {
  vi.useFakeTimers();
  const whole = new Limit(1000);
  const part = new Limit(1000, whole);
  part.close();
  expect(vi.getTimerCount()).toBe(1);
  whole.abort();
  expect([whole.aborted, part.aborted]).toEqual([true, false]);
  whole.close();
  expect(vi.getTimerCount()).toBe(0);
});

it('a limit longer than any timer sets none, and never ends by itself', () => {
  vi.useFakeTimers();
  for (const milliseconds of [2 ** 31, Number.POSITIVE_INFINITY]) new Limit(milliseconds);
  expect(vi.getTimerCount()).toBe(0);
  const longest = new Limit(2 ** 31 - 1);
  expect(vi.getTimerCount()).toBe(1);
  longest.close();
});

it('a race is won by the promise or by the limit', async () => {
  const bounds = new Limit(1000);
  expect(await race(Promise.resolve(1), bounds)).toBe(1);
  await expect(race(Promise.reject(new Error('lost')), bounds)).rejects.toThrow('lost');
  const lost = race(new Promise(() => {}), bounds);
  bounds.abort();
  await expect(lost).rejects.toBe(bounds.reason);
  await expect(race(new Promise(() => {}), bounds)).rejects.toBe(bounds.reason);
  bounds.close();
});

it('a wait lasts its time, unless the limit cuts it short, and leaves no timer', async () => {
  vi.useFakeTimers();
  const bounds = new Limit(Number.POSITIVE_INFINITY);
  let waited = 0;
  const note = () => {
    waited++;
  };
  wait(100, bounds).then(note);
  await vi.advanceTimersByTimeAsync(99);
  expect(waited).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(waited).toBe(1);
  const cut = wait(100, bounds);
  bounds.abort();
  await expect(cut).rejects.toBe(bounds.reason);
  expect(vi.getTimerCount()).toBe(0);
});

it('many follow one signal with one listener on it, which goes with the last of them', () => {
  const { signal, abort } = counted(new AbortController());
  const limits = Array.from({ length: 20 }, () => new Limit(1000, signal));
  expect(signal.listeners).toBe(1);
  for (const bounds of limits) bounds.close();
  expect(signal.listeners).toBe(0);

  const [first, second] = [new Limit(1000, signal), new Limit(1000, signal)];
  first.close();
  first.close();
  expect(signal.listeners).toBe(1);
  abort();
  expect([first.aborted, second.aborted]).toEqual([false, true]);
  second.close();
  expect(signal.listeners).toBe(0);
});

/** A controller whose signal counts the listeners on it. */
function counted(controller: AbortController) {
  const signal = Object.assign(controller.signal, { listeners: 0 });
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  signal.addEventListener = (...given: unknown[]) => {
    signal.listeners += 1;
    addEventListener.apply(signal, given as never);
  };
  signal.removeEventListener = (...given: unknown[]) => {
    signal.listeners -= 1;
    removeEventListener.apply(signal, given as never);
  };
  return { signal, abort: () => controller.abort() };
}
