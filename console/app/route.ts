import { onBeforeUnmount, type Ref, ref } from 'vue';

/** What the page shows: a view of a space. */
interface Place {
  view: string;
  /** The record that the view shows in detail; empty for none. */
  item: string;
  /** Empty for the space at the root of the server. */
  space: string;
}

export interface Route {
  readonly view: Ref<string>;
  readonly item: Ref<string>;
  readonly space: Ref<string>;
  /** Shows another view, another space, or both. */
  go(change: Partial<Place>): void;
  /** The link to a view of the same space. */
  href(view: string, item?: string): string;
}

/** Keeps what the page shows in the fragment of the URL: `#/requests/req_000007?space=worker-1`. */
export function useRoute(): Route {
  const view = ref('');
  const item = ref('');
  const space = ref('');
  const read = () => {
    const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [name = '', id = ''] = path.split('/');
    view.value = name || 'boards';
    item.value = decodeURIComponent(id);
    space.value = new URLSearchParams(query).get('space') ?? '';
  };
  const hashOf = (place: Place) => {
    const path = place.item === '' ? place.view : `${place.view}/${encodeURIComponent(place.item)}`;
    return `#/${path}${place.space === '' ? '' : `?${new URLSearchParams({ space: place.space })}`}`;
  };
  read();
  window.addEventListener('hashchange', read);
  onBeforeUnmount(() => window.removeEventListener('hashchange', read));
  return {
    view,
    item,
    space,
    go(change) {
      location.hash = hashOf({ view: view.value, item: item.value, space: space.value, ...change });
    },
    href: (other, id = '') => hashOf({ view: other, item: id, space: space.value }),
  };
}
