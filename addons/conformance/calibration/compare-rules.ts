import type { Deployment, RuleComparison } from '../../../mock-server/deployment/deployment.js';
import { deploymentWire } from '../../../mock-server/deployment/emulation.js';
import { anyName, type Shape, type Shapes } from '../../../mock-server/deployment/shape.js';
import { createMockServer } from '../../../mock-server/mock-server.js';
import { fieldsOf, type OperationId, operationOf } from '../../../src/contract/index.js';
import { groupBy } from '../../shared/lists.js';
import { type ConformanceOptions, type ConformanceResult, runConformance } from '../run.js';

interface CheckedRules {
  rules: Deployment['rules'];
  requests: number;
  undeletedRecords: string[];
}

/**
 * Runs the conformance kit against the deployment and against its emulation. If their results for a rule
 * differ, the mock server can't emulate the deployment's behavior.
 */
export async function compareRules(
  connection: Omit<ConformanceOptions, 'wire' | 'includeOptional'>,
  deployment: Deployment,
  onExchange: NonNullable<ConformanceOptions['onExchange']>,
): Promise<CheckedRules> {
  const wire = deploymentWire(deployment);
  const report = await runConformance({ ...connection, wire, includeOptional: true, onExchange });
  const emulated = await checkEmulation(deployment, connection.limitedCredential);
  const outcomes = new Map(emulated.map((result) => [nameOf(result), result.outcome]));
  const rules = report.results.map((result): [string, RuleComparison] => {
    const name = nameOf(result);
    const [one, other] = [result.outcome, outcomes.get(name)];
    const isUnknown = one === 'not_checkable' || other === 'not_checkable' || other === undefined;
    return [name, isUnknown ? 'unknown' : one === other ? 'same' : 'different'];
  });
  return {
    rules: Object.fromEntries(rules),
    requests: report.requests,
    undeletedRecords: report.undeletedRecords,
  };
}

async function checkEmulation(
  deployment: Deployment,
  limited: ConformanceOptions['limitedCredential'],
): Promise<ConformanceResult[]> {
  const credentials = [
    { token: 'all', scopes: ['*'] },
    { token: 'limited', scopes: limited?.scopes ?? [] },
  ];
  const organization = { name: 'Emulation', users: [{ name: 'Owner', role: 'owner' }], credentials };
  const mock = createMockServer({ deployment, world: { organizations: [organization] } });
  const { results } = await runConformance({
    ...mock.clientOptions(),
    fetch: mock.fetch,
    includeOptional: true,
    ...(limited && { limitedCredential: { token: 'limited', scopes: limited.scopes } }),
  });
  return results;
}

const nameOf = ({ operation, title }: ConformanceResult): string => `${operation} ${title}`;

/** Returns a sentence for each rule on which the deployment and its emulation differ. */
export const describeDifferences = (rules: Deployment['rules']): string[] =>
  Object.entries(rules)
    .filter(([, comparison]) => comparison === 'different')
    .map(([name]) => `the deployment and the mock server differ on the rule "${name}"`);

/** Returns a sentence for each field that isn't in the contract. Only the types of those fields are known. */
export function describeAdditionalFields(shapes: Shapes): string[] {
  const fields = (Object.entries(shapes) as [OperationId, Shape][]).flatMap(([id, shape]) =>
    additionalFields(id, shape).map((name) => ({ name, id })),
  );
  return [...groupBy(fields, ({ name }) => name)].map(
    ([name, same]) =>
      `the field "${name}" of ${same.map(({ id }) => id).join(', ')}: the mock server returns a placeholder`,
  );
}

function additionalFields(id: OperationId, shape: Shape): string[] {
  const { response } = operationOf(id);
  if (!response) return [];
  const known = fieldsOf(response);
  const { fields = {} } = shape.items ?? shape;
  return Object.keys(fields).filter((name) => name !== anyName && !known.has(name));
}
