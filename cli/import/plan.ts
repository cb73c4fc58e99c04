import type { Worktrack } from '../../src/index.js';
import type { ConnectionOptions } from '../connection-options.js';
import type { Directory } from './directory.js';
import type { KeyOf, Mapping } from './mapping.js';
import type { RowFile, RowFormat } from './read-rows.js';

/** The parsed options of `worktrack import`. */
export interface ImportFlags extends ConnectionOptions {
  project: string;
  map?: Mapping;
  key?: string;
  format?: RowFormat;
  delimiter?: string;
  dryRun?: boolean;
  ledger?: string;
  resume?: boolean;
  concurrency: number;
  rate?: number;
}

/** The data shared by imports and dry runs. */
export interface ImportPlan {
  client: Worktrack;
  source: RowFile;
  rows: number;
  mapping: Mapping;
  directory: Directory;
  keyOf: KeyOf;
}
