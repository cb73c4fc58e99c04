import type { Label } from '../../src/contract/index.js';
import type { NamePool } from '../state/name-pool.js';
import type { Lookup } from './lookup.js';

/** A project's labels, and the ticket numbers and board slugs already taken. */
export interface ProjectContext {
  labels: Lookup<Label>;
  numbers: TakenNumbers;
  slugs: NamePool;
}

/** The project's ticket numbers. */
export interface TakenNumbers {
  has(number: number): boolean;
  add(number: number): unknown;
}
