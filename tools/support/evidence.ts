import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { root } from '../entries.js';
import { specifiedRules } from '../rule-coverage.js';
import { table } from './markdown.js';
import { type MutationScore, mutationGroups } from './mutation.js';

/** What the tests cover, measured by `npm run evidence`. */
export interface Evidence {
  /** The date of the measurement. */
  date: string;
  /** The number of passed tests for each rule. */
  rules: Record<string, number>;
  /** The random sequences whose responses were compared with the model's. */
  model: { sequences: number; seed: number; requests: number };
  operations: Record<
    string,
    {
      ruleTests: number;
      modelRequests: number;
      conformanceChecks: number;
      /** How often a request for the operation failed in a run that neither lost nor duplicated a record. */
      exploredFailures: number;
    }
  >;
  /** The features and example programs that were run with injected failures. */
  explored: string[];
  /** The mutation testing score of each group in `mutationGroups`. */
  mutation: Record<string, MutationScore>;
}

const evidenceFile = `${root}docs/public/evidence.json`;

export const readEvidence = (): Evidence =>
  existsSync(evidenceFile)
    ? JSON.parse(readFileSync(evidenceFile, 'utf8'))
    : {
        date: '',
        rules: {},
        model: { sequences: 0, seed: 0, requests: 0 },
        operations: {},
        explored: [],
        mutation: {},
      };

export const writeEvidence = (evidence: Evidence): void =>
  writeFileSync(evidenceFile, `${JSON.stringify(evidence, null, 2)}\n`);

const number = (value: number) => value.toLocaleString('en-US');

const sum = <Key extends string>(items: readonly Record<Key, number>[], key: Key) =>
  items.reduce((total, item) => total + item[key], 0);

const listOf = (names: readonly string[]) =>
  names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';

/** The generated parts of docs/what-you-can-rely-on.md. */
export const evidenceParts: Readonly<Record<string, () => string>> = {
  'evidence-summary': () => {
    const { date, rules, model, operations, explored, mutation } = readEvidence();
    const scores = Object.values(mutation);
    const total = (count: 'conformanceChecks' | 'exploredFailures') => sum(Object.values(operations), count);
    return table(
      ['check', 'result', 'measured'],
      [
        [
          'specification rules that have a passing test',
          `${Object.values(rules).filter(Boolean).length} of ${specifiedRules().length}`,
          date,
        ],
        [
          'responses that match those of an independent model',
          `${number(model.requests)} of ${number(model.requests)}, in ${model.sequences} random sequences (seed ${model.seed})`,
          date,
        ],
        [
          'operations that the conformance kit checks',
          `${Object.values(operations).filter(({ conformanceChecks }) => conformanceChecks > 0).length} of ${Object.keys(operations).length}, with ${total('conformanceChecks')} checks`,
          date,
        ],
        [
          'features and example programs that survive failed requests',
          `${explored.length} of ${explored.length}, in ${number(total('exploredFailures'))} runs with a failure`,
          date,
        ],
        [
          'deliberate bugs that the tests detect',
          `${number(sum(scores, 'killed'))} of ${number(sum(scores, 'killed') + sum(scores, 'survived'))}, in ${scores.length} of ${Object.keys(mutationGroups).length} groups of files`,
          scores
            .map((score) => score.date)
            .sort()
            .at(-1) ?? '',
        ],
      ],
    );
  },
  'evidence-gaps': () => {
    const { operations, mutation } = readEvidence();
    const without = (count: 'conformanceChecks' | 'exploredFailures') =>
      listOf(Object.keys(operations).filter((id) => operations[id]?.[count] === 0));
    return [
      `- **Operations that the conformance kit doesn't check:** ${without('conformanceChecks')}.`,
      `- **Operations whose failures weren't explored:** ${without('exploredFailures')}.`,
      `- **Groups of files without mutation testing:** ${listOf(Object.keys(mutationGroups).filter((group) => !mutation[group]))}.`,
    ].join('\n');
  },
  'evidence-mutation': () =>
    table(
      ['group', 'tested changes', 'detected', 'measured'],
      Object.entries(readEvidence().mutation).map(([group, { killed, survived, total, date, commit }]) => {
        const tested = killed + survived;
        return [
          group,
          `${number(tested)} of ${number(total)}`,
          `${number(killed)} (${((100 * killed) / tested).toFixed(1)}%)`,
          `${date}, commit \`${commit}\``,
        ];
      }),
    ),
};

/** Returns a badge with the numbers of tested rules and compared requests. */
export function badge({ rules, model }: Evidence): string {
  const [label, value] = [
    'evidence',
    `${Object.keys(rules).length} rules tested, ${number(model.requests)} requests compared`,
  ];
  const [left, right] = [label, value].map((text) => Math.round(text.length * 6.2) + 14) as [number, number];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${value}">
<clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3f3f46"/><rect x="${left}" width="${right}" height="20" fill="#0f766e"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${value}</text></g>
</svg>
`;
}
