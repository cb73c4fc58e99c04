import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../entries.js';
import type { Ran } from './project.js';

/** A kind of project in which people use the package, with the README's code in it. */
export interface Consumer {
  name: string;
  /** The packages that such a project has besides ours. */
  tools: readonly string[];
  /**
   * Does there what its owner would do.
   *
   * @param home the folder with the packed package and the tools in its node_modules
   * @throws what went wrong
   */
  run(home: string): void | Promise<void>;
}

/** Something that could not be had on this machine: the consumer was not tried, which is no success. */
export class NotRun extends Error {}

/** What a program must do: end well, and print what the README's reader would expect. */
export function expectRan(what: string, { status, output }: Ran, expected: string | RegExp): string {
  const fits = typeof expected === 'string' ? output === expected : expected.test(output);
  if (status !== 0 || !fits || /warning/i.test(output)) {
    throw new Error(`${what}: exit code ${status}, expected ${expected} in\n${output}`);
  }
  return output;
}

/** The versions of a consumer's tools; what Node.js has needs none. */
export const versionsOf = ({ tools }: Consumer) =>
  tools.map((name) => {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return `${name} ${version}`;
  });
