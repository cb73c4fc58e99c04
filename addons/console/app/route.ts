import { type ComputedRef, computed, onBeforeUnmount, shallowRef } from 'vue';

/** The view, record, and space that the console shows. */
interface Place {
  view: string;
  /** The ID of the selected record, or an empty string. */
  item: string;
  /** The space's name, or an empty string for the root space. */
  space: string;
  /** The selected project and the filters. Empty values are omitted from the URL. */
  query: Readonly<Record<string, string>>;
}

export interface Route {
  readonly view: ComputedRef<string>;
  readonly item: ComputedRef<string>;
  readonly space: ComputedRef<string>;
  readonly query: ComputedRef<Place['query']>;
  /** Switches to another view, record, or space. */
  go(change: Partial<Place>): void;
  /** Changes parts of the query without adding an entry to the browser's history. */
  set(query: Place['query']): void;
  /** Returns a link to a view in the current space. */
  href(view: string, item?: string, query?: Place['query']): string;
}

/** The query parameters that all views share. */
const lasting = ['organization', 'project'];

/**
 * Stores the current location in the URL fragment, such as `#/requests/req_000007?status=4&space=worker-1`.
 */
export function useRoute(): Route {
  const place = shallowRef(readPlace(location.hash));
  const read = () => {
    place.value = readPlace(location.hash);
  };
  /**
   * Returns the query parameters to keep when the view changes. The project isn't kept if the space changes.
   */
  const keptQuery = (view: string, space: string): Place['query'] => {
    const { view: current, space: currentSpace, query } = place.value;
    if (space !== currentSpace) return {};
    if (view === current) return query;
    return Object.fromEntries(Object.entries(query).filter(([name]) => lasting.includes(name)));
  };
  // Unlike `hashchange`, this event fires before the browser handles the next key.
  window.addEventListener('popstate', read);
  onBeforeUnmount(() => window.removeEventListener('popstate', read));
  return {
    view: computed(() => place.value.view),
    item: computed(() => place.value.item),
    space: computed(() => place.value.space),
    query: computed(() => place.value.query),
    go(change) {
      const next = { ...place.value, ...change };
      place.value = { ...next, query: change.query ?? keptQuery(next.view, next.space) };
      location.hash = hashOf(place.value);
    },
    set(changed) {
      place.value = { ...place.value, query: { ...place.value.query, ...changed } };
      history.replaceState(history.state, '', hashOf(place.value));
    },
    href(view, item = '', extra = {}) {
      const { space } = place.value;
      return hashOf({ view, item, space, query: { ...keptQuery(view, space), ...extra } });
    },
  };
}

function hashOf({ view, item, space, query }: Place): string {
  const path = item === '' ? view : `${view}/${encodeURIComponent(item)}`;
  const entries = Object.entries({ ...query, space }).filter(([, value]) => value !== '');
  return `#/${path}${entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`}`;
}

/**
 * Reads a URL fragment, which can contain anything, because users can edit it and websites can link to it.
 */
export function readPlace(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', id = ''] = path.split('/');
  const { space = '', ...query } = Object.fromEntries(new URLSearchParams(search));
  return { view: name || 'requests', item: decode(id), space, query };
}

/** Decodes a percent-encoded string. Returns the string unchanged if its encoding is invalid. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
