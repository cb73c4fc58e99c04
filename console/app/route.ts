import { onBeforeUnmount, type Ref, ref } from 'vue';

/** A view in a space. */
interface Place {
  view: string;
  /** The ID of the selected record, or an empty string. */
  item: string;
  /** The space's name, or an empty string for the root space. */
  space: string;
}

export interface Route {
  readonly view: Ref<string>;
  readonly item: Ref<string>;
  readonly space: Ref<string>;
  /** Switches to another view, another space, or both. */
  go(change: Partial<Place>): void;
  /** Returns a link to a view in the current space. */
  href(view: string, item?: string): string;
}

/** Stores the current view in the URL fragment, such as `#/requests/req_000007?space=worker-1`. */
export function useRoute(): Route {
  const view = ref('');
  const item = ref('');
  const space = ref('');
  const read = () => {
    const place = readPlace(location.hash);
    view.value = place.view;
    item.value = place.item;
    space.value = place.space;
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

/** Reads a URL fragment, which can contain anything because users can edit it and websites can link to it. */
export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', id = ''] = path.split('/');
  return { view: name || 'boards', item: decode(id), space: new URLSearchParams(query).get('space') ?? '' };
}

/** Decodes a percent-encoded string, or returns it as it is if the encoding is invalid. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
