/** One side of a comparison: does a piece of work once. */
export type Work = () => unknown;

export interface Plan {
  /** Rounds that count; both sides run in each. */
  rounds?: number;
  /** Times the work is done in one side's turn of a round. */
  repeat: number;
  /** `cpu`: what this process spends; `wall`: what a clock shows. */
  clock?: 'cpu' | 'wall';
}

/** A figure with its spread: the median of the rounds, and the quartiles beside it. */
export interface Figure {
  median: number;
  low: number;
  high: number;
}

/**
 * How many times the peer's time ours takes, on the same work in the same run. The sides take turns,
 * so that a machine which slows down slows both; the order changes from round to round.
 */
export async function ratio(
  ours: Work,
  peer: Work,
  { rounds = 15, repeat, clock = 'cpu' }: Plan,
): Promise<Figure> {
  const ratios: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const times = { ours: 0, peer: 0 };
    const order = round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const);
    for (const side of order) times[side] = await time(side === 'ours' ? ours : peer, repeat, clock);
    // The first two rounds are for the compiler.
    if (round >= 0) ratios.push(times.ours / times.peer);
  }
  return figure(ratios);
}

/** The median and the quartiles of some numbers. */
export function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Milliseconds that the work takes, done some times. */
export async function time(work: Work, repeat = 1, clock: 'cpu' | 'wall' = 'wall'): Promise<number> {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let index = 0; index < repeat; index++) {
    const result = work();
    if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function') await result;
  }
  if (clock === 'wall') return performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000;
}
