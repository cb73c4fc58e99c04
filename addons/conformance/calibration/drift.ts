import { type ChoiceId, choiceIds, choices } from '../../../mock-server/deployment/choices.js';
import type { Deployment } from '../../../mock-server/deployment/deployment.js';
import { isObject, type JsonObject } from '../../../src/shared/json.js';
import type { Calibration } from './calibrate.js';
import { compareShapes } from './compare-shapes.js';
import type { DriftReport } from './report.js';

/**
 * Compares a deployment's behavior with a baseline. Behavior that couldn't be observed is reported as not
 * compared.
 *
 * @param baseline the contents of a `deployment.json` file
 * @example
 * const { changes } = findDrift(baseline, await calibrate({ baseUrl, token, organization }));
 */
export function findDrift(
  baseline: Deployment,
  { deployment, readOnly }: Pick<Calibration, 'deployment' | 'readOnly'>,
): DriftReport {
  const report: DriftReport = { changes: [], notCompared: [], unchanged: [] };
  for (const id of choiceIds) compareChoice(id, baseline, deployment, readOnly, report);
  if (!readOnly) compareRules(baseline, deployment, report);
  // If an observation was interrupted, some responses are missing.
  const isSampled = readOnly || report.notCompared.some(({ isLost }) => isLost);
  compareShapes(baseline.shapes, deployment.shapes, { isSampled, isReadOnly: readOnly }, report);
  return report;
}

function compareChoice(
  id: ChoiceId,
  baseline: Deployment,
  deployment: Deployment,
  readOnly: boolean,
  { changes, notCompared, unchanged }: DriftReport,
): void {
  const [before, after] = [baseline.choices[id], deployment.choices[id]];
  const [kind, subject] = ['choice' as const, choices[id].title];
  if ('unknown' in before) {
    const reason = `the baseline has no value: ${before.unknown}`;
    notCompared.push({ kind, subject, reason, isLost: false });
  } else if ('unknown' in after) {
    notCompared.push({ kind, subject, reason: after.unknown, isLost: !readOnly });
  } else if (JSON.stringify(before.observed) === JSON.stringify(after.observed)) {
    unchanged.push({ kind, subject });
  } else {
    changes.push({ kind, subject, ...describeChange(before.observed, after.observed) });
  }
}

/** Describes two values. For objects, describes only the fields that differ. */
function describeChange(before: unknown, after: unknown): { before: string; after: string } {
  if (!isObject(before) || !isObject(after)) return { before: describe(before), after: describe(after) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const list = (value: JsonObject) =>
    names
      .map((name) => `${name || 'the body'} ${name in value ? describe(value[name]) : 'missing'}`)
      .join(', ');
  return { before: list(before), after: list(after) };
}

const describe = (value: unknown): string =>
  typeof value === 'string' && /^\w/.test(value) ? value.replaceAll('_', ' ') : JSON.stringify(value);

function compareRules(baseline: Deployment, deployment: Deployment, report: DriftReport): void {
  const names = new Set([...Object.keys(baseline.rules), ...Object.keys(deployment.rules)]);
  for (const subject of names) {
    const [before, after] = [baseline.rules[subject], deployment.rules[subject]];
    if (before === undefined || before === 'unknown') {
      const reason = "the baseline doesn't contain this rule";
      report.notCompared.push({ kind: 'rule', subject, reason, isLost: false });
    } else if (after === undefined || after === 'unknown') {
      const reason = "this rule couldn't be checked";
      report.notCompared.push({ kind: 'rule', subject, reason, isLost: true });
    } else if (before === after) {
      report.unchanged.push({ kind: 'rule', subject });
    } else {
      report.changes.push({ kind: 'rule', subject, before: outcomes[before], after: outcomes[after] });
    }
  }
}

const outcomes = { same: 'the same as in the mock server', different: 'different from the mock server' };
