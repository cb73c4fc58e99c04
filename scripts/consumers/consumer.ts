import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../entries.js';
import type { Ran } from './project.js';

/** A project that installs the package and runs the README's code. */
export interface Consumer {
  name: string;
  /** The other packages the project needs. */
  tools: readonly string[];
  /**
   * Runs the project.
   *
   * @param home the folder whose node_modules contains the package and the tools
   * @throws Error if the project fails
   */
  run(home: string): void | Promise<void>;
}

/** Thrown if a project can't run because a requirement is missing on this machine. */
export class NotRun extends Error {}

/** Checks that a program succeeded and printed the expected output without warnings. */
export function expectRan(what: string, { status, output }: Ran, expected: string | RegExp): string {
  const matches = typeof expected === 'string' ? output === expected : expected.test(output);
  if (status !== 0 || !matches || /warning/i.test(output)) {
    throw new Error(`${what}: exit code ${status}, expected ${expected} in\n${output}`);
  }
  return output;
}

/** Returns the names and versions of a project's tools. */
export const versionsOf = ({ tools }: Consumer) =>
  tools.map((name) => {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return `${name} ${version}`;
  });
