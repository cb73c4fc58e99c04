import { onBeforeUnmount, type Ref, ref } from 'vue';

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
  readonly view: Ref<string>;
  readonly item: Ref<string>;
  readonly space: Ref<string>;
  readonly query: Ref<Place['query']>;
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
  const view = ref('');
  const item = ref('');
  const space = ref('');
  const query = ref<Place['query']>({});
  const show = (place: Place) => {
    view.value = place.view;
    item.value = place.item;
    space.value = place.space;
    query.value = place.query;
  };
  const read = () => show(readPlace(location.hash));
  const hashOf = (place: Place) => {
    const path = place.item === '' ? place.view : `${place.view}/${encodeURIComponent(place.item)}`;
    const entries = Object.entries({ ...place.query, space: place.space }).filter(
      ([, value]) => value !== '',
    );
    return `#/${path}${entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`}`;
  };
  const current = (): Place => ({
    view: view.value,
    item: item.value,
    space: space.value,
    query: query.value,
  });
  /**
   * Returns the query parameters to keep when the view changes. The project isn't kept if the space changes.
   */
  const keptQuery = (nextView: string, nextSpace: string): Place['query'] => {
    const names = Object.keys(query.value);
    const kept = nextView === view.value ? names : names.filter((name) => lasting.includes(name));
    return nextSpace === space.value
      ? Object.fromEntries(kept.map((name) => [name, query.value[name] ?? '']))
      : {};
  };
  read();
  // Unlike `hashchange`, this event fires before the browser handles the next key.
  window.addEventListener('popstate', read);
  onBeforeUnmount(() => window.removeEventListener('popstate', read));
  return {
    view,
    item,
    space,
    query,
    go(change) {
      const next = { ...current(), ...change };
      next.query = change.query ?? keptQuery(next.view, next.space);
      show(next);
      location.hash = hashOf(next);
    },
    set(changed) {
      query.value = { ...query.value, ...changed };
      history.replaceState(history.state, '', hashOf(current()));
    },
    href: (other, id = '', extra = {}) =>
      hashOf({
        view: other,
        item: id,
        space: space.value,
        query: { ...keptQuery(other, space.value), ...extra },
      }),
  };
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
