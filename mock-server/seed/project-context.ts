import type { Label } from '../../src/contract/index.js';
import type { NamePool } from '../state/name-pool.js';
import type { Lookup } from './lookup.js';

/** The records that a project's boards and tickets can refer to, and the values that must be unique. */
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
