import { valueAt } from '../../../mock-server/deployment/fields.js';
import type { OperationId } from '../../../src/contract/index.js';
import { isObject } from '../../../src/shared/json.js';
import type { Harness } from '../harness.js';
import { findPath, reasonOf } from './observation.js';
import { findItems } from './page-observation.js';

/** The paths to records and page items in responses. */
export interface FoundPaths {
  record: string | undefined;
  /** The path to an unpaginated list. Also used for records if their path is unknown. */
  list: string | undefined;
  items: string | undefined;
}

/** The number of projects to read, and the number of tickets or documents to read from each list. */
const samples = { projects: 3, records: 5, perPage: 50 };

/** Reads some existing records to find out which fields they have. Sends only GET requests. */
export async function readSamples(harness: Harness): Promise<FoundPaths> {
  const paths: FoundPaths = { record: undefined, list: undefined, items: undefined };
  const read = async (id: OperationId, ids: string[] = [], query?: object): Promise<unknown> => {
    try {
      const { status, body } = await harness.call(id, ids, query ? { query: { ...query } } : {});
      return status === 200 ? body : undefined;
    } catch (error) {
      // The credential may lack a scope, or the request may fail. Continue with the other records.
      if (!harness.options.sender.hasResponded || reasonOf(error) === undefined) throw error;
      return undefined;
    }
  };
  const organization = await read('organization.get');
  paths.record = findPath(
    organization,
    (value) => isObject(value) && value.id === harness.options.organization,
  );
  const projects = await read('projects.list');
  paths.list = findItems(projects);
  for (const project of idsIn(projects, paths.list, samples.projects)) {
    for (const id of ofProject) await read(id, [project]);
    const tickets = await read('tickets.list', [project], { per_page: samples.perPage });
    paths.items ??= findItems(tickets);
    for (const ticket of idsIn(tickets, paths.items, samples.records)) await read('tickets.get', [ticket]);
  }
  const documents = await read('documents.list', [], { per_page: samples.perPage });
  paths.items ??= findItems(documents);
  for (const document of idsIn(documents, paths.items, samples.records)) {
    await read('documents.get', [document]);
  }
  return paths;
}

const ofProject = [
  'projects.get',
  'projects.members.list',
  'projects.labels.list',
  'projects.tags.list',
  'projects.analytics.get',
  'boards.list',
] as const satisfies readonly OperationId[];

function idsIn(body: unknown, path: string | undefined, count: number): string[] {
  const list = path === undefined ? undefined : valueAt(body, path);
  if (!Array.isArray(list)) return [];
  return list
    .flatMap((record) => (isObject(record) && typeof record.id === 'string' ? [record.id] : []))
    .slice(0, count);
}
