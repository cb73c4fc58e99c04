import type { Worktrack } from '../../src/index.js';
import type { Directory } from './directory.js';
import type { FileRow, Mapping } from './mapping.js';
import type { RowFormat } from './read-rows.js';

/** The parsed options of `worktrack import`. */
export interface ImportFlags {
  project: string;
  map?: Mapping;
  key?: string;
  format?: 'csv' | 'ndjson';
  dryRun?: boolean;
  ledger?: string;
  resume?: boolean;
  concurrency: number;
  rate?: number;
  baseUrl?: string;
  organization?: string;
  allowPlainHttp?: boolean;
}

/** The data shared by imports and dry runs. */
export interface ImportPlan {
  client: Worktrack;
  file: string;
  format: RowFormat;
  rows: number;
  mapping: Mapping;
  directory: Directory;
  keyOf: (row: FileRow, index: number) => string;
}
