import type { MockClientOptions } from 'worktrack/mock-server';

/** A runtime in which the package is tried. */
export interface Runtime {
  name: string;
  /**
   * Gets it, from packages; what it returns runs the program there and says which version it was.
   *
   * @throws where it cannot be had here: it is reported as not run
   */
  install(): Promise<Run>;
}

/** @throws where the program fails in the runtime */
export type Run = (trial: Trial) => Promise<string>;

export interface Trial {
  /** A folder with the packed package in its node_modules, and the programs of test/runtimes. */
  home: string;
  /** Options of a client of the reference server that listens. */
  served: MockClientOptions;
}
