import type { PageParameter } from '../../../mock-server/deployment/choices.js';
import {
  type PageFact,
  type PageFields,
  unrecognized,
  valueAt,
} from '../../../mock-server/deployment/fields.js';
import { isObject } from '../../../src/shared/json.js';
import { NotCheckable } from '../expectations.js';
import type { DeploymentResponse } from '../harness.js';
import { findPath, leavesOf, type Observation, type Observers, requireStatus } from './observation.js';

/** The pages of a list of five tickets, with two tickets per page. */
interface Pages {
  itemsPath: string;
  parameter: FoundParameter;
  bodies: unknown[];
  /** The response to the request for the fourth page. Undefined if pages are selected with a cursor. */
  past: DeploymentResponse | undefined;
}

const perPage = 2;

/** Observes the format of pages, and the parameter that selects a page. */
export const pageObservers = {
  async pageParameter(_, observation) {
    const { name, value } = (await observation.once(readPages)).parameter;
    return { name, value };
  },

  async pageFields(_, observation) {
    const { bodies, itemsPath, parameter } = await observation.once(readPages);
    const leaves = bodies.map((body) => leavesOf(body, itemsPath));
    const paths = [...new Set(leaves.flatMap((page) => [...page.keys()]))].sort();
    const fields = paths.map((path) => {
      const values = leaves.map((page) => page.get(path));
      return [path, path === itemsPath ? 'items' : factOf(values, parameter)] as const;
    });
    return Object.fromEntries(fields);
  },

  async pastLastPage(_, observation) {
    const { past, itemsPath, bodies } = await observation.once(readPages);
    if (!past) throw new NotCheckable("a cursor can't select a page after the last one");
    if (past.status === 404) return 'not_found';
    if (past.status === 422 || past.status === 400) return 'rejected';
    requireStatus(past, 200);
    const ids = idsAt(past.body, itemsPath);
    if (ids.length === 0) return 'empty';
    if (`${ids}` === `${idsAt(bodies[2], itemsPath)}`) return 'last_page';
    throw new NotCheckable('the page after the last one contains unexpected tickets');
  },
} satisfies Partial<Observers>;

/** Returns the path to a page's items: the first list of records on the page. */
export const findItems = (body: unknown): string | undefined =>
  findPath(body, (value) => Array.isArray(value) && value.every((item) => isObject(item) && 'id' in item));

async function readPages(observation: Observation): Promise<Pages> {
  const harness = await observation.harness();
  const { project } = await harness.createBoards(5);
  const read = (query: object) => harness.call('tickets.list', [project.id], { query: { ...query } });
  const all = await read({ per_page: 200 });
  requireStatus(all, 200);
  const itemsPath = findItems(all.body);
  if (itemsPath === undefined) throw new NotCheckable("tickets.list doesn't return a list of records");
  const order = idsAt(all.body, itemsPath);
  if (order.length !== 5) throw new NotCheckable("tickets.list doesn't contain the five new tickets");
  const first = await read({ per_page: perPage });
  if (`${idsAt(first.body, itemsPath)}` !== `${order.slice(0, perPage)}`) {
    throw new NotCheckable("tickets.list doesn't return pages of two tickets");
  }
  const pageAt = async (name: string, value: unknown): Promise<string> =>
    `${idsAt((await read({ per_page: perPage, [name]: value })).body, itemsPath)}`;
  const [second, third] = [`${order.slice(2, 4)}`, `${order.slice(4)}`];
  const parameter = await findParameter(first.body, pageAt, [`${order.slice(0, perPage)}`, second, third]);
  const bodies = [first.body];
  for (const page of [2, 3]) {
    const response = await read({ per_page: perPage, ...parameterOf(parameter, page, bodies) });
    requireStatus(response, 200);
    bodies.push(response.body);
  }
  if (`${idsAt(bodies[2], itemsPath)}` !== third)
    throw new NotCheckable('the third page contains unexpected tickets');
  const past =
    parameter.value === 'cursor'
      ? undefined
      : await read({ per_page: perPage, ...parameterOf(parameter, 4, bodies) });
  return { itemsPath, parameter, bodies, past };
}

/** @param bodies the bodies of the previous pages */
function parameterOf({ name, value, cursorPath }: FoundParameter, page: number, bodies: unknown[]): object {
  if (value === 'cursor') return { [name]: cursorsIn(bodies[page - 2], name).get(cursorPath ?? '') };
  return { [name]: { page, page_index: page - 1, offset: (page - 1) * perPage }[value] };
}

interface FoundParameter extends PageParameter {
  cursorPath?: string;
}

/** Tries the parameters in the page's links, then commonly used ones. */
async function findParameter(
  body: unknown,
  pageAt: (name: string, value: unknown) => Promise<string>,
  [first, second, third]: readonly [string, string, string],
): Promise<FoundParameter> {
  const linked = urlsIn(body).flatMap((url) => [...url.searchParams.keys()]);
  const names = [...new Set([...linked, ...usualNames])].filter((name) => name !== 'per_page');
  for (const name of names) {
    const at2 = await pageAt(name, 2);
    if (at2 === third) return { name, value: 'page_index' };
    if (at2 !== second) continue;
    return { name, value: (await pageAt(name, 1)) === first ? 'page' : 'offset' };
  }
  for (const name of [...new Set([...linked, ...usualCursors])]) {
    for (const [cursorPath, cursor] of cursorsIn(body, name)) {
      if ((await pageAt(name, cursor)) === second) return { name, value: 'cursor', cursorPath };
    }
  }
  throw new NotCheckable('found no parameter that selects a page');
}

const usualNames = [
  'page',
  'page[number]',
  'p',
  'page_number',
  'pageNumber',
  'offset',
  'page[offset]',
  'skip',
];
const usualCursors = [
  'cursor',
  'page[cursor]',
  'page_token',
  'pageToken',
  'after',
  'page[after]',
  'starting_after',
];

/**
 * Returns the possible cursors, keyed by path. Each is either the parameter's value in a link or a string
 * without spaces.
 */
function cursorsIn(body: unknown, name: string): Map<string, string> {
  const cursors = new Map<string, string>();
  for (const [path, value] of leavesOf(body, findItems(body) ?? '')) {
    const cursor = isUrl(value) ? new URL(value, anyOrigin).searchParams.get(name) : value;
    if (typeof cursor === 'string' && /^\S{1,500}$/.test(cursor)) cursors.set(path, cursor);
  }
  return cursors;
}

const urlsIn = (body: unknown): URL[] =>
  [...leavesOf(body, findItems(body) ?? '').values()].filter(isUrl).map((text) => new URL(text, anyOrigin));

/** The base URL for parsing relative links. */
const anyOrigin = 'http://relative.test';

const isUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^(https?:\/\/|\/)/.test(value) && URL.canParse(value, anyOrigin);

const idsAt = (body: unknown, path: string): unknown[] => {
  const list = valueAt(body, path);
  return Array.isArray(list) ? list.map((item) => (isObject(item) ? item.id : undefined)) : [];
};

/** Uses a field's values on pages 1, 2, and 3 to determine what the field contains. */
function factOf(values: readonly unknown[], parameter: PageParameter): PageFields[string] {
  const isOmitted = values.includes(undefined);
  const known = values.map((value) => value ?? null);
  const isNumber = known.every((value) => typeof value === 'number' || value === null);
  const text = JSON.stringify(
    isNumber || known.every((value) => typeof value === 'boolean') ? known : linksOf(known, parameter),
  );
  const fact = (Object.entries(signatures) as [PageFact, string][]).find(
    ([, signature]) => signature === text,
  );
  if (fact) return isOmitted ? `${fact[0]}?` : fact[0];
  if (isPageLinks(known)) return 'page_links';
  const [one, two, three] = known;
  const isCursor = (value: unknown) => typeof value === 'string' && parameter.value === 'cursor';
  const mark = isOmitted ? '?' : '';
  if (isCursor(one) && isCursor(two) && three === null && one !== two) return `next_cursor${mark}`;
  if (one === null && isCursor(two) && isCursor(three)) return `previous_cursor${mark}`;
  return unrecognized;
}

/** Replaces each URL with the number of the page that it selects. */
function linksOf(values: readonly unknown[], { name, value: kind }: PageParameter): unknown[] {
  return values.map((value) => {
    if (!isUrl(value)) return value;
    const selected = new URL(value, anyOrigin).searchParams.get(name);
    if (selected === null) return value.includes('?') ? 'page 1' : 'path';
    if (kind === 'cursor') return value;
    const number = Number(selected);
    return `page ${{ page: number, page_index: number + 1, offset: number / perPage + 1 }[kind]}`;
  });
}

/** The values to expect on the three pages, for each kind of field. */
const signatures: Readonly<Partial<Record<PageFact, string>>> = {
  current_page: '[1,2,3]',
  page_index: '[0,1,2]',
  per_page: '[2,2,2]',
  last_page: '[3,3,3]',
  total: '[5,5,5]',
  from: '[1,3,5]',
  to: '[2,4,5]',
  offset: '[0,2,4]',
  count: '[2,2,1]',
  has_more: '[true,true,false]',
  has_previous: '[false,true,true]',
  next_page: '[2,3,null]',
  previous_page: '[null,1,2]',
  next_url: '["page 2","page 3",null]',
  previous_url: '[null,"page 1","page 2"]',
  first_url: '["page 1","page 1","page 1"]',
  last_url: '["page 3","page 3","page 3"]',
  page_url: '["page 1","page 2","page 3"]',
  path: '["path","path","path"]',
  true: '[true,true,true]',
  false: '[false,false,false]',
  null: '[null,null,null]',
};

/** Whether the values are lists of links in Laravel's format. */
const isPageLinks = (values: readonly unknown[]): boolean =>
  values.every(
    (value) =>
      Array.isArray(value) &&
      value.length >= 3 &&
      value.every((link) => isObject(link) && `${Object.keys(link).sort()}` === 'active,label,url'),
  );
