import type { Reference } from '../../src/contract/index.js';
import type { DocumentRow } from './rows.js';
import type { State } from './state.js';

/** Adds or replaces a document in the table and in the index. */
export function putDocument(state: State, document: DocumentRow): void {
  const before = state.documents.get(document.id);
  const old = before ? keysOf(before) : [];
  const keys = keysOf(document);
  state.documents.put(document.id, document);
  const slot = state.documents.slotOf(document.id);
  for (const key of old) if (!keys.includes(key)) state.documentOrder.remove(key, slot);
  for (const key of keys) if (!old.includes(key)) state.documentOrder.add(key, slot);
}

export interface DocumentFilter {
  project_id?: string | undefined;
  status?: string | undefined;
  /** The trimmed names of the tags. Documents must have all of them. */
  tags: readonly string[];
}

/**
 * Finds the documents that match the filter, in creation order. The index has a list for each condition, and
 * the caller iterates over the shortest list.
 */
export function findDocuments(state: State, organization: string, filter: DocumentFilter): FoundDocuments {
  const keys = keysOfFilter(organization, filter);
  const [first = organization, ...others] = keys.sort(
    (a, b) => state.documentOrder.length(a) - state.documentOrder.length(b),
  );
  if (others.length === 0) return { key: first };
  return { key: first, passes: (document) => others.every((key) => keysOf(document).includes(key)) };
}

export interface FoundDocuments {
  /** The key, in `state.documentOrder`, of the list to iterate over. */
  key: string;
  /** Whether a document in the list matches. If it's omitted, all of them do. */
  passes?(document: DocumentRow): boolean;
}

/** Returns the organization's tag with this name. Adds the tag if it doesn't exist yet. */
export function documentTag(state: State, organization: string, name: string, id?: string): Reference {
  const key = `${organization}\n${name}`;
  const known = state.documentTags.get(key);
  if (known) return known;
  const tag = Object.freeze({ id: id ?? state.newId(), name });
  state.documentTags.put(key, tag);
  return tag;
}

function keysOf(document: DocumentRow): string[] {
  if (document.deleted_at !== null) return [];
  const { organization_id, project_id, status, tags } = document;
  return [
    organization_id,
    ...keysOfFilter(organization_id, {
      project_id: project_id ?? undefined,
      status,
      tags: tags.map(({ name }) => name.trim()),
    }),
  ];
}

function keysOfFilter(organization: string, { project_id, status, tags }: DocumentFilter): string[] {
  return [
    ...(project_id === undefined ? [] : [`${organization}\nproject\n${project_id}`]),
    ...(status === undefined ? [] : [`${organization}\nstatus\n${status}`]),
    ...[...new Set(tags)].map((name) => `${organization}\ntag\n${name}`),
  ];
}
