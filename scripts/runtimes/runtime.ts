import type { MockClientOptions } from 'worktrack/mock-server';

/** A runtime in which the package is tested. */
export interface Runtime {
  name: string;
  /**
   * Installs the runtime. The returned function runs the test program in it, and returns the runtime's version.
   *
   * @throws Error if the runtime can't be installed on this computer, which is reported as NOT RUN
   */
  install(): Promise<Run>;
}

/** @throws Error if the program fails in the runtime */
export type Run = (trial: Trial) => Promise<string>;

export interface Trial {
  /** A folder with the programs from test/runtimes and, in its node_modules, the packed package. */
  home: string;
  /** Client options for the mock server over HTTP. */
  served: MockClientOptions;
}
