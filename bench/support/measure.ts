/** One side of a comparison: does a piece of work once. */
export type Work = () => unknown;

/** How long one side's turn is. */
export interface Turn {
  /** Times that the work is done. */
  repeat?: number;
  /** Milliseconds after which a turn ends, though the work has not been done so often. */
  within?: number;
  /** `cpu`: what this process spends; `wall`: what a clock shows. */
  clock?: 'cpu' | 'wall';
  /**
   * Collects garbage before the turn, for work that is measured a few times and makes much of it. A long turn
   * goes without: a collection by force throws away what the compiler has learnt, and a bare `fetch` then
   * costs up to twice as much for thousands of calls, by who was before it.
   */
  collect?: boolean;
}

export interface Plan extends Turn {
  /** Rounds that count; every side has its turn in each. */
  rounds?: number;
  /** Rounds for the compiler before them, which do not count; 1 by default. */
  warmUp?: number;
}

/** A side that is elsewhere, such as in a process of its own, and measures its turns itself. */
export interface Remote {
  /** @returns milliseconds that the work took once */
  take: (turn: Turn) => Promise<number>;
}

/** Milliseconds that the work takes each side, one number a round. */
export type Times<Side extends string> = Record<Side, number[]>;

/** A figure with its spread: the median of the rounds, and the quartiles beside it. */
export interface Figure {
  median: number;
  low: number;
  high: number;
}

/**
 * Measures all sides in the same rounds, so that a machine which slows down slows each of them and any two
 * can be compared.
 */
export async function takeTurns<Side extends string>(
  sides: Readonly<Record<Side, Work | Remote>>,
  { rounds = 15, warmUp = 1, ...turn }: Plan,
): Promise<Times<Side>> {
  const names = Object.keys(sides) as Side[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Times<Side>;
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of inTurn(names, round + warmUp)) {
      const side: Work | Remote = sides[name];
      const taken = await (typeof side === 'function' ? time(side, turn) : side.take(turn));
      if (round >= 0) times[name].push(taken);
    }
  }
  return times;
}

/** Another side begins each round, and once all have begun they go backwards, so that none always follows the same. */
export function inTurn<Side>(sides: readonly Side[], round: number): Side[] {
  const first = round % sides.length;
  const order = [...sides.slice(first), ...sides.slice(0, first)];
  return Math.floor(round / sides.length) % 2 === 0 ? order : order.reverse();
}

/** How many times the base's time a side takes, of the same rounds. */
export const ratioOf = <Side extends string>(times: Times<Side>, side: Side, base: Side): Figure =>
  figure(times[side].map((taken, round) => taken / (times[base][round] ?? Number.NaN)));

/** How many times the peer's time ours takes, where there are only two. */
export async function ratio(ours: Work, peer: Work, plan: Plan): Promise<Figure> {
  return ratioOf(await takeTurns({ ours, peer }, { clock: 'cpu', ...plan }), 'ours', 'peer');
}

/** The median and the quartiles of some numbers. */
export function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Milliseconds that the work takes once: those of a turn, divided by the times that it was done. */
export async function time(
  work: Work,
  { repeat = 1, within = Number.POSITIVE_INFINITY, clock = 'wall', collect = false }: Turn = {},
): Promise<number> {
  if (collect) globalThis.gc?.();
  const cpu = process.cpuUsage();
  const started = performance.now();
  let done = 0;
  while (done < repeat && performance.now() - started < within) {
    const result = work();
    if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function') await result;
    done += 1;
  }
  if (clock === 'wall') return (performance.now() - started) / done;
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000 / done;
}
