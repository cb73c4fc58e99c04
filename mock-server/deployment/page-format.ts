import type { PageInfo } from '../../src/contract/index.js';
import { type DecodedPage, defaultWire, type PageWire } from '../../src/wire/index.js';
import type { PageParameter } from './choices.js';
import { bodyOf, type PageFact, type PageFields, pageFields, valueAt, withoutMark } from './fields.js';

/** Builds the page format from the fields of a deployment's pages. */
export function pageFormat(fields: PageFields, parameter: PageParameter): PageWire {
  const { name } = parameter;
  const { decode, encode } = parameterValues[parameter.value];
  const readParameter = { readParameter: decode };
  if (parameter.value === 'page' && JSON.stringify(fields) === JSON.stringify(pageFields.mockValue)) {
    return { ...defaultWire.page, parameter: name };
  }
  return {
    parameter: name,
    ...(parameter.value !== 'page' && readParameter),
    encode(data, info, url) {
      const page = describePage(data, info, url, name, encode);
      return bodyOf(
        Object.entries(fields).map(([path, content]) => {
          const fact = withoutMark(content) as PageFact;
          const value = page[fact];
          return [path, value === null && content.endsWith('?') ? undefined : value] as const;
        }),
      );
    },
    decode: (body) => decodePage(fields, body),
  };
}

/** Converts between page numbers and the parameter's values. */
const parameterValues: Readonly<
  Record<
    PageParameter['value'],
    { encode(page: number, perPage: number): string; decode(value: string, perPage: number): string }
  >
> = {
  page: { encode: String, decode: (value) => value },
  page_index: {
    encode: (page) => String(page - 1),
    decode: (value) => (isCount(value) ? String(Number(value) + 1) : value),
  },
  offset: {
    encode: (page, perPage) => String((page - 1) * perPage),
    decode: (value, perPage) => (isCount(value) ? String(Math.floor(Number(value) / perPage) + 1) : value),
  },
  cursor: {
    encode: (page) => btoa(`page ${page}`),
    decode: (value) => {
      const [, page] = /^page (\d+)$/.exec(decodeBase64(value)) ?? [];
      return page ?? value;
    },
  },
};

const isCount = (text: string): boolean => /^\d+$/.test(text);

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

function describePage(
  items: readonly unknown[],
  info: PageInfo,
  url: URL,
  parameter: string,
  encode: (page: number, perPage: number) => string,
): Record<PageFact, unknown> {
  const { current_page, last_page, per_page, total, from, to } = info;
  const link = (page: number) => {
    const query = new URLSearchParams(url.search);
    query.set('per_page', String(per_page));
    query.set(parameter, encode(page, per_page));
    return `${url.origin}${url.pathname}?${query}`;
  };
  const next = current_page < last_page ? current_page + 1 : null;
  const previous = current_page > 1 ? current_page - 1 : null;
  const cursor = (page: number | null) => page && encode(page, per_page);
  const linkOf = (page: number | null) => page && link(page);
  return {
    items,
    current_page,
    page_index: current_page - 1,
    per_page,
    last_page,
    total,
    from,
    to,
    offset: (current_page - 1) * per_page,
    count: items.length,
    has_more: next !== null,
    has_previous: previous !== null,
    next_page: next,
    previous_page: previous,
    next_url: linkOf(next),
    previous_url: linkOf(previous),
    first_url: link(1),
    last_url: link(last_page),
    page_url: link(current_page),
    path: url.origin + url.pathname,
    page_links: valueAt(
      defaultWire.page.encode.call({ ...defaultWire.page, parameter }, items, info, url),
      'data.links',
    ),
    next_cursor: cursor(next),
    previous_cursor: cursor(previous),
    true: true,
    false: false,
    null: null,
  };
}

function decodePage(fields: PageFields, body: unknown): DecodedPage | undefined {
  const values = new Map(
    Object.entries(fields).map(([path, fact]) => [withoutMark(fact), valueAt(body, path)]),
  );
  const data = values.get('items');
  if (!Array.isArray(data)) return undefined;
  const number = (fact: PageFact, offset = 0) => {
    const value = values.get(fact);
    return typeof value === 'number' ? value + offset : undefined;
  };
  const current = number('current_page') ?? number('page_index', 1);
  const last = number('last_page');
  const pageInfo = Object.fromEntries(
    Object.entries({
      current_page: current,
      per_page: number('per_page'),
      last_page: last,
      total: number('total'),
      from: number('from') ?? number('offset', 1),
      to: number('to'),
    }).filter(([, value]) => value !== undefined),
  );
  return { data, pageInfo, hasNext: hasNext(values, current, last) };
}

function hasNext(
  values: ReadonlyMap<string, unknown>,
  current: number | undefined,
  last: number | undefined,
): boolean | undefined {
  const more = values.get('has_more');
  if (typeof more === 'boolean') return more;
  for (const fact of ['next_url', 'next_page', 'next_cursor'] satisfies PageFact[]) {
    if (values.has(fact)) return values.get(fact) !== undefined && values.get(fact) !== null;
  }
  return current === undefined || last === undefined ? undefined : current < last;
}
