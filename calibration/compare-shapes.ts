import { anyName, type Shape, type Shapes, type ValueType } from '../mock-server/deployment/shape.js';
import type { DriftReport } from './drift-report.js';

interface ComparisonOptions {
  /** Whether the records are only samples. A different sample could have values in other fields. */
  isSampled: boolean;
  /** Whether the run called only read operations. */
  isReadOnly: boolean;
}

interface Difference {
  /** The path to the field, such as `assignees[].name`. */
  path: string;
  before: string;
  after: string;
}

interface Comparison {
  changes: Difference[];
  /** Differences that could simply be due to the two runs reading different records. */
  undecided: { path: string; reason: string }[];
}

/** Compares the shapes of all responses. If several operations have the same change, reports it only once. */
export function compareShapes(
  baseline: Shapes,
  current: Shapes,
  options: ComparisonOptions,
  report: DriftReport,
): void {
  const changed = new Map<string, { difference: Difference; operations: string[] }>();
  const undecided = new Map<string, { path: string; reason: string; operations: string[] }>();
  const operations = new Set([...Object.keys(baseline), ...Object.keys(current)]) as Set<keyof Shapes>;
  for (const operation of operations) {
    const [before, after] = [baseline[operation], current[operation]];
    if (!before || !after) {
      const reason = before
        ? 'this run got no successful response'
        : 'the baseline has no successful response';
      // A read-only run doesn't call most operations, so missing shapes are expected.
      const isLost = before !== undefined && !options.isReadOnly;
      report.notCompared.push({ kind: 'shape', subject: `the fields of ${operation}`, reason, isLost });
      continue;
    }
    const comparison: Comparison = { changes: [], undecided: [] };
    compareValue('', before, after, options, comparison);
    for (const difference of comparison.changes) {
      addTo(changed, JSON.stringify(difference), { difference, operations: [] }, operation);
    }
    for (const entry of comparison.undecided) {
      addTo(undecided, JSON.stringify(entry), { ...entry, operations: [] }, operation);
    }
    if (comparison.changes.length === 0) {
      report.unchanged.push({ kind: 'shape', subject: `the fields of ${operation}` });
    }
  }
  for (const { difference, operations } of changed.values()) {
    const { path, before, after } = difference;
    report.changes.push({ kind: 'shape', subject: subjectOf(path, operations), before, after });
  }
  for (const { path, reason, operations } of undecided.values()) {
    report.notCompared.push({ kind: 'shape', subject: subjectOf(path, operations), reason, isLost: false });
  }
}

function addTo<Entry extends { operations: string[] }>(
  entries: Map<string, Entry>,
  key: string,
  initial: Entry,
  operation: string,
): void {
  const entry = entries.get(key) ?? initial;
  entry.operations.push(operation);
  entries.set(key, entry);
}

const subjectOf = (path: string, operations: readonly string[]): string =>
  `${path === '' ? 'the result' : `the field "${path.replace(/^\./, '')}"`} of ${operations.join(', ')}`;

function compareValue(
  path: string,
  before: Shape,
  after: Shape,
  options: ComparisonOptions,
  comparison: Comparison,
): void {
  compareTypes(path, before, after, options, comparison);
  if (before.items && after.items) {
    // Use the same path for a record in a list as for a single record, so that each change is reported only
    // once.
    compareValue(path && `${path}[]`, before.items, after.items, options, comparison);
  }
  if (!before.fields || !after.fields) return;
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  const mayBeData = options.isSampled && names.has(anyName);
  for (const name of names) {
    const [one, other] = [before.fields[name], after.fields[name]];
    const field = `${path}.${name}`;
    if (one && other) {
      compareValue(field, one, other, options, comparison);
      compareSeen(field, one, other, options, comparison);
    } else {
      const reason = mayBeData
        ? "it's also the name of a record in one of the observations"
        : one?.seen && `missing now, but only ${one.seen} had it in the baseline`;
      if (reason) comparison.undecided.push({ path: field, reason });
      else comparison.changes.push({ path: field, before: describe(one), after: describe(other) });
    }
  }
}

function compareTypes(
  path: string,
  before: Shape,
  after: Shape,
  { isSampled }: ComparisonOptions,
  { changes, undecided }: Comparison,
): void {
  const [known, now] = [withoutNull(before), withoutNull(after)];
  const isNew = (type: ValueType) =>
    !known.includes(type) && !(type === 'date-time' && known.includes('string'));
  const hasNewType = known.length > 0 && now.some(isNew);
  const lostTypes =
    now.length > 0 &&
    known.some((type) => !now.includes(type) && !(type === 'string' && now.includes('date-time')));
  const nullChanged = before.types.includes('null') !== after.types.includes('null');
  const isEmptyNow = known.length === 0 || now.length === 0;
  if (hasNewType || (!isSampled && (lostTypes || (nullChanged && !isEmptyNow)))) {
    changes.push({ path, before: describe(before), after: describe(after) });
  } else if (isEmptyNow && known.length !== now.length) {
    if (isSampled) undecided.push({ path, reason: 'it has a value in only one of the observations' });
    else changes.push({ path, before: describe(before), after: describe(after) });
  } else if (nullChanged && isSampled && after.types.includes('null')) {
    undecided.push({ path, reason: "it's null in some records now, possibly because the records differ" });
  }
}

function compareSeen(
  path: string,
  before: Shape,
  after: Shape,
  { isSampled }: ComparisonOptions,
  { changes, undecided }: Comparison,
): void {
  if ((before.seen === undefined) === (after.seen === undefined)) return;
  if (after.seen === undefined && isSampled) return;
  const describeSeen = ({ seen }: Shape) => (seen === undefined ? 'always present' : 'sometimes missing');
  if (isSampled) undecided.push({ path, reason: `only ${after.seen} have it now` });
  else changes.push({ path, before: describeSeen(before), after: describeSeen(after) });
}

const withoutNull = ({ types }: Shape): ValueType[] => types.filter((type) => type !== 'null');

const describe = (shape: Shape | undefined): string => shape?.types.join(' or ') ?? 'missing';
