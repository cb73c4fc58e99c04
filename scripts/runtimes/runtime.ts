import type { MockClientOptions } from 'worktrack/mock-server';

/** A runtime in which the package is tested. */
export interface Runtime {
  name: string;
  /**
   * Installs the runtime. The returned function runs the test program and returns the runtime's version.
   *
   * @throws Error if the runtime can't be installed on this machine; the result is then NOT RUN
   */
  install(): Promise<Run>;
}

/** @throws Error if the program fails in the runtime */
export type Run = (trial: Trial) => Promise<string>;

export interface Trial {
  /** A folder that contains the programs from test/runtimes, with the package tarball installed. */
  home: string;
  /** Client options for connecting to the mock server over HTTP. */
  served: MockClientOptions;
}
