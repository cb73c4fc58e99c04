/** The code to measure. Each call runs it once. */
export type Work = () => unknown;

/** How long a turn lasts, and what is measured during it. */
export interface Turn {
  /** The number of times to run the work. */
  repeat?: number;
  /** The maximum duration in milliseconds. The turn ends when either this or `repeat` is reached. */
  within?: number;
  /** What to measure: `cpu` for this process's CPU time or `wall` for elapsed time. */
  clock?: 'cpu' | 'wall';
  /**
   * Whether to force garbage collection before the turn. Use it for work that creates a lot of garbage and
   * runs only a few times. Don't use it for long turns: forcing garbage collection discards compiled code, so
   * even a plain `fetch` takes up to twice as long for a few thousand calls.
   */
  collect?: boolean;
}

export interface Plan extends Turn {
  /** The number of measured rounds. Each side takes one turn per round. */
  rounds?: number;
  /**
   * The number of warm-up rounds, which aren't measured.
   *
   * @defaultValue 1
   */
  warmUp?: number;
}

/** A side that times its own turns, for example in another process. */
export interface Remote {
  /** @returns the time per run, in milliseconds */
  take: (turn: Turn) => Promise<number>;
}

/** The time per run for each side and round, in milliseconds. */
export type Times<Side extends string> = Record<Side, number[]>;

/** The median and quartiles of all rounds. */
export interface Figure {
  median: number;
  low: number;
  high: number;
}

/** Measures all sides in each round, so a temporary slowdown affects them equally. */
export async function takeTurns<Side extends string>(
  sides: Readonly<Record<Side, Work | Remote>>,
  { rounds = 15, warmUp = 1, ...turn }: Plan,
): Promise<Times<Side>> {
  const names = Object.keys(sides) as Side[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Times<Side>;
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of orderOfRound(names, round + warmUp)) {
      const side: Work | Remote = sides[name];
      const duration = await (typeof side === 'function' ? time(side, turn) : side.take(turn));
      if (round >= 0) times[name].push(duration);
    }
  }
  return times;
}

/** Varies the order from round to round so that no side benefits from its position. */
function orderOfRound<Side>(sides: readonly Side[], round: number): Side[] {
  const first = round % sides.length;
  const order = [...sides.slice(first), ...sides.slice(0, first)];
  return Math.floor(round / sides.length) % 2 === 0 ? order : order.reverse();
}

/** Divides a side's time by the baseline's in each round, and summarizes the ratios. */
export const ratioOf = <Side extends string>(times: Times<Side>, side: Side, base: Side): Figure =>
  figure(times[side].map((duration, round) => duration / (times[base][round] ?? Number.NaN)));

/** Benchmarks our work and a peer's, and returns the ratio of our time to theirs. */
export async function ratio(ours: Work, peer: Work, plan: Plan): Promise<Figure> {
  return ratioOf(await takeTurns({ ours, peer }, { clock: 'cpu', ...plan }), 'ours', 'peer');
}

/** Returns the median and quartiles of the values. */
export function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Collects garbage and returns the size of the heap, in bytes. */
export function heapUsed(): number {
  if (!globalThis.gc) throw new Error('run Node.js with --expose-gc, as `npm run bench` does');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Runs the work for one turn and returns the average time per run in milliseconds. */
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
