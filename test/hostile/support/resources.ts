import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a fuzz run may use. Far above what it needs, and far below what any of the attacks needed. */
export interface ResourceLimits {
  /** Milliseconds of CPU time per input. */
  cpu: number;
  /** Milliseconds for which the event loop may be blocked at a stretch. */
  blocked: number;
  /** MiB by which the process may grow. */
  rss: number;
}

/** Measures the resources that the process uses from now on. */
export function measureResources() {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const cpu = process.cpuUsage();
  const rss = process.memoryUsage.rss();
  let peak = rss;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  return {
    /** @returns figures for the whole run; `cpu` for each input */
    stop(inputs: number): ResourceLimits {
      clearInterval(sampling);
      delay.disable();
      const { user, system } = process.cpuUsage(cpu);
      return {
        cpu: (user + system) / 1000 / inputs,
        blocked: delay.max / 1e6,
        rss: (Math.max(peak, process.memoryUsage.rss()) - rss) / 2 ** 20,
      };
    },
  };
}

/** @returns the names of the limits that were exceeded */
export const exceeded = (used: ResourceLimits, limits: ResourceLimits): string[] =>
  (Object.keys(limits) as (keyof ResourceLimits)[])
    .filter((name) => used[name] > limits[name])
    .map((name) => `${name}: ${Math.round(used[name])} > ${limits[name]}`);
