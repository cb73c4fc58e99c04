import type { MockServer } from '../../mock-server/index.js';
import { quote, shorten } from '../../src/internal.js';
import type { Interference } from './interference.js';

export type Item = Readonly<Record<string, unknown>>;

/** All records that aren't deleted, by kind, such as `tickets`. */
export type RecordsByKind = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const kinds = ['projects', 'boards', 'tickets', 'documents', 'comments', 'notifications'] as const;

export const readState = ({ state }: MockServer): RecordsByKind =>
  Object.freeze(
    Object.fromEntries(kinds.map((kind) => [kind, Object.freeze(state[kind].all() as object[] as Item[])])),
  );

/** The options for comparing records. */
interface Comparison {
  /** The records before the run. IDs are compared only for these records. */
  before: RecordsByKind;
  /** A change by another user. The changed record and its comments aren't compared. */
  interference: Interference | undefined;
  /** Fields that aren't compared. */
  ignore?: readonly string[] | undefined;
}

/**
 * Describes how records differ from the expected records, with a line for each record. The line starts with
 * `+` for an additional record, `-` for a missing one, and `~` for a changed one. Returns undefined if there
 * are no differences.
 */
export function differenceOf(
  actual: RecordsByKind,
  expected: RecordsByKind,
  comparison: Comparison,
): string | undefined {
  const found = describeRecords(actual, comparison);
  const wanted = describeRecords(expected, comparison);
  const missing = subtract(wanted, found);
  const lines = subtract(found, wanted).map((extra) => {
    const index = missing.findIndex(({ key }) => key === extra.key);
    const [other] = index < 0 ? [] : missing.splice(index, 1);
    return other ? `~ ${extra.label}: ${changesBetween(extra, other)}` : `+ ${extra.label}`;
  });
  lines.push(...missing.map(({ label }) => `- ${label}`));
  const more = lines.length > maxLines ? [`… and ${lines.length - maxLines} more`] : [];
  return lines.length > 0 ? [...lines.slice(0, maxLines), ...more].join('\n') : undefined;
}

const maxLines = 10;

/** A record without the fields that differ between two identical runs. */
interface Description {
  /** The ID of a record that existed before the run, or the label of a new record. */
  key: unknown;
  label: string;
  fields: Item;
  text: string;
}

/** Fields that depend on when requests arrive, or in what order. */
const volatile = ['id', 'number', 'position', 'created_at', 'updated_at'];

function describeRecords(
  records: RecordsByKind,
  { before, interference, ignore = [] }: Comparison,
): Description[] {
  const known = new Set(Object.values(before).flatMap((all) => all.map(({ id }) => id)));
  const labels = new Map<unknown, string>();
  for (const [kind, all] of Object.entries(records)) {
    for (const record of all)
      if (!known.has(record.id)) labels.set(record.id, `new ${labelOf(kind, record)}`);
  }
  const ignored = new Set([...volatile, ...ignore]);
  const describe = (label: string, record: Item): Description => {
    const key = known.has(record.id) ? record.id : label;
    const fields = Object.entries(record).flatMap(([name, value]) => {
      if (ignored.has(name)) return [];
      if (name.endsWith('_at') && name !== 'due_at') return [[name, value !== null]];
      return [[name, labels.get(value) ?? value]];
    });
    return { key, label, fields: Object.fromEntries(fields), text: JSON.stringify([key, fields]) };
  };
  const isOther = ({ id, ticket_id, document_id }: Item) =>
    interference !== undefined && [id, ticket_id, document_id].includes(interference.recordId);
  return Object.entries(records).flatMap(([kind, all]) =>
    all.filter((record) => !isOther(record)).map((record) => describe(labelOf(kind, record), record)),
  );
}

/** Returns a readable label for a record, such as `ticket "Fuel"`. */
export const labelOf = (kind: string, { title, name, body_html, id }: Item): string =>
  `${kind.slice(0, -1)} "${shorten(quote(String(title ?? name ?? body_html ?? id)), 60)}"`;

/** Removes one occurrence of a description for each occurrence in `others`. */
function subtract(descriptions: readonly Description[], others: readonly Description[]): Description[] {
  const counts = new Map<string, number>();
  for (const { text } of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return descriptions.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

const changesBetween = ({ fields }: Description, expected: Description): string =>
  Object.keys({ ...fields, ...expected.fields })
    .map((name) => [name, ...[fields, expected.fields].map((one) => String(JSON.stringify(one[name])))])
    .filter(([, actual, wanted]) => actual !== wanted)
    .map(([name, ...values]) => `${name} ${values.map((text) => shorten(text, 60)).join(' instead of ')}`)
    .join(', ');
