import type { Label } from '../../src/contract/index.js';
import type { NamePool } from '../state/name-pool.js';
import type { Lookup } from './lookup.js';

/** What the boards and tickets of one project refer to, and what they must differ in. */
export interface ProjectContext {
  labels: Lookup<Label>;
  numbers: TakenNumbers;
  slugs: NamePool;
}

/** The numbers of the project's tickets. */
export interface TakenNumbers {
  has(number: number): boolean;
  add(number: number): unknown;
}
