import { anyName, type Shape, type Shapes, type ValueType } from '../../../mock-server/deployment/shape.js';
import { groupBy } from '../../shared/lists.js';
import type { DriftReport } from './report.js';

interface ComparisonOptions {
  /** Whether only a sample of the records was read. A different sample could have values in other fields. */
  isSampled: boolean;
  /** Whether the run called only read operations. */
  isReadOnly: boolean;
}

/**
 * A difference. If it may exist only because the two runs read different records, `result` contains the
 * reason instead of the values.
 */
interface Finding {
  /** The path to the field, such as `assignees[].name`. */
  path: string;
  result: { before: string; after: string } | { reason: string };
}

/**
 * Compares the shapes of all responses. If several operations changed in the same way, reports the change
 * only once.
 */
export function compareShapes(
  baseline: Shapes,
  current: Shapes,
  { isSampled, isReadOnly }: ComparisonOptions,
  report: DriftReport,
): void {
  const kind = 'shape';
  const found: (Finding & { operation: string })[] = [];
  const operations = new Set([...Object.keys(baseline), ...Object.keys(current)]) as Set<keyof Shapes>;
  for (const operation of operations) {
    const [before, after] = [baseline[operation], current[operation]];
    const subject = `the fields of ${operation}`;
    if (!before || !after) {
      const reason = before
        ? 'this run received no successful responses'
        : 'the baseline contains no successful responses';
      // A read-only run doesn't call most operations, so missing shapes are expected.
      const isLost = before !== undefined && !isReadOnly;
      report.notCompared.push({ kind, subject, reason, isLost });
      continue;
    }
    const findings = compareValue('', before, after, isSampled);
    found.push(...findings.map((finding) => ({ ...finding, operation })));
    if (findings.every(({ result }) => 'reason' in result)) report.unchanged.push({ kind, subject });
  }
  for (const same of groupBy(found, ({ path, result }) => JSON.stringify([path, result])).values()) {
    const { path, result } = same[0] as Finding;
    const subject = subjectOf(
      path,
      same.map(({ operation }) => operation),
    );
    if ('reason' in result) report.notCompared.push({ kind, subject, ...result, isLost: false });
    else report.changes.push({ kind, subject, ...result });
  }
}

const subjectOf = (path: string, operations: readonly string[]): string =>
  `${path === '' ? 'the result' : `the field "${path.replace(/^\./, '')}"`} of ${operations.join(', ')}`;

function compareValue(path: string, before: Shape, after: Shape, isSampled: boolean): Finding[] {
  // Use the same path for a record whether it's in a list or on its own, so each change is reported only
  // once.
  const itemPath = path && `${path}[]`;
  return [
    ...compareTypes(path, before, after, isSampled),
    ...(before.items && after.items ? compareValue(itemPath, before.items, after.items, isSampled) : []),
    ...(before.fields && after.fields ? compareFields(path, before.fields, after.fields, isSampled) : []),
  ];
}

function compareFields(path: string, before: Fields, after: Fields, isSampled: boolean): Finding[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const mayBeData = isSampled && names.has(anyName);
  return [...names].flatMap((name): Finding[] => {
    const [one, other] = [before[name], after[name]];
    const field = `${path}.${name}`;
    if (one && other) {
      return [...compareValue(field, one, other, isSampled), ...compareSeen(field, one, other, isSampled)];
    }
    const reason = mayBeData
      ? "it's also the name of a record in one of the observations"
      : one?.seen && `missing now, but only ${one.seen} objects had it in the baseline`;
    return [{ path: field, result: reason ? { reason } : changeOf(one, other) }];
  });
}

type Fields = NonNullable<Shape['fields']>;

function compareTypes(path: string, before: Shape, after: Shape, isSampled: boolean): Finding[] {
  const [known, now] = [withoutNull(before), withoutNull(after)];
  const isNew = (type: ValueType) =>
    !known.includes(type) && !(type === 'date-time' && known.includes('string'));
  const hasNewType = known.length > 0 && now.some(isNew);
  const lostTypes =
    now.length > 0 &&
    known.some((type) => !now.includes(type) && !(type === 'string' && now.includes('date-time')));
  const nullChanged = before.types.includes('null') !== after.types.includes('null');
  const isEmptyNow = known.length === 0 || now.length === 0;
  const valuesChanged = isEmptyNow && known.length !== now.length;
  if (hasNewType || (!isSampled && (lostTypes || valuesChanged || (nullChanged && !isEmptyNow)))) {
    return [{ path, result: changeOf(before, after) }];
  }
  if (valuesChanged) return [{ path, result: { reason: 'it has a value in only one of the observations' } }];
  if (nullChanged && isSampled && after.types.includes('null')) {
    const reason = "it's null in some records now, possibly because the records differ";
    return [{ path, result: { reason } }];
  }
  return [];
}

function compareSeen(path: string, before: Shape, after: Shape, isSampled: boolean): Finding[] {
  if ((before.seen === undefined) === (after.seen === undefined)) return [];
  if (isSampled)
    return after.seen ? [{ path, result: { reason: `only ${after.seen} objects have it now` } }] : [];
  const describeSeen = ({ seen }: Shape) => (seen === undefined ? 'always present' : 'sometimes missing');
  return [{ path, result: { before: describeSeen(before), after: describeSeen(after) } }];
}

const withoutNull = ({ types }: Shape): ValueType[] => types.filter((type) => type !== 'null');

const changeOf = (before: Shape | undefined, after: Shape | undefined) => ({
  before: describe(before),
  after: describe(after),
});

const describe = (shape: Shape | undefined): string => shape?.types.join(' or ') ?? 'missing';
