import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * The maximum resources of a fuzz run: far more than it needs, and far less than any successful attack
 * needed.
 */
export interface ResourceLimits {
  /** The maximum CPU time per input, in milliseconds. */
  cpu: number;
  /** The longest time that the event loop may be blocked, in milliseconds. */
  blocked: number;
  /** The maximum growth of the process, in MiB. */
  rss: number;
}

/** Starts measuring the resources that the process uses. */
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
    /** @returns the resources of the whole run; `cpu` is per input */
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
