import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * The resource limits for a fuzz run. They're far above normal usage, but far below what past attacks caused.
 */
export interface ResourceLimits {
  /** The maximum CPU time per input, in milliseconds. */
  cpu: number;
  /** The maximum time that the event loop may be blocked, in milliseconds. */
  blocked: number;
  /** The maximum memory growth of the process, in MiB. */
  rss: number;
}

/** Starts measuring the process's resources. */
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
    /** Returns the resource usage. `cpu` is per input. */
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

/** Returns the names of the exceeded limits. */
export const exceededLimits = (used: ResourceLimits, limits: ResourceLimits): string[] =>
  (Object.keys(limits) as (keyof ResourceLimits)[])
    .filter((name) => used[name] > limits[name])
    .map((name) => `${name}: ${Math.round(used[name])} > ${limits[name]}`);
