import { existsSync, readFileSync } from 'node:fs';
import { root } from '../entries.js';
import { table } from './markdown.js';
import { specifiedRules } from './specified-rules.js';

/** What the tests cover, measured by `npm run evidence`. */
export interface Evidence {
  /** The day of the measurement. */
  date: string;
  /** The number of tests that passed per rule. */
  rules: Record<string, number>;
  /** The random sequences whose responses were compared with the model's. */
  model: { sequences: number; seed: number; requests: number };
  operations: Record<
    string,
    {
      ruleTests: number;
      modelRequests: number;
      conformanceChecks: number;
      /** How often a request of the operation failed in a run, without losing or duplicating a record. */
      exploredFailures: number;
    }
  >;
  /** What was run with failures of its requests. */
  explored: string[];
  /** The share of deliberate bugs that the tests detect, by folder, with the day of its measurement. */
  mutation: Record<string, { percent: number; mutants: number; date: string }>;
}

export const evidenceFile = `${root}docs/public/evidence.json`;

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

const number = (value: number) => value.toLocaleString('en-US');

/** Returns what a rule or operation has too little of, or an empty string. */
const gapOf = (names: readonly string[]) =>
  names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';

/** The parts of docs/what-you-can-rely-on.md. */
export const evidenceParts: Readonly<Record<string, () => string>> = {
  'evidence-summary': () => {
    const { date, rules, model, operations, explored, mutation } = readEvidence();
    const total = (count: 'conformanceChecks' | 'exploredFailures') =>
      Object.values(operations).reduce((sum, counts) => sum + counts[count], 0);
    return table(
      ['check', 'result', 'measured'],
      [
        [
          'rules of the specification that have a passing test',
          `${Object.values(rules).filter(Boolean).length} of ${specifiedRules().length}`,
          date,
        ],
        [
          'responses that equal the responses of an independent model',
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
        ...Object.entries(mutation).map(([folder, { percent, mutants, date: day }]) => [
          `deliberate bugs in \`${folder}\` that tests detect`,
          `${percent}% of ${number(mutants)}`,
          day,
        ]),
      ],
    );
  },
  'evidence-gaps': () => {
    const { operations, mutation } = readEvidence();
    const without = (count: 'conformanceChecks' | 'exploredFailures') =>
      gapOf(Object.keys(operations).filter((id) => operations[id]?.[count] === 0));
    return [
      `- **Operations that the conformance kit doesn't check:** ${without('conformanceChecks')}.`,
      `- **Operations without an explored failure:** ${without('exploredFailures')}.`,
      ...(Object.keys(mutation).length === 0
        ? ['- **Mutation scores:** not measured in this build. The weekly workflow measures them.']
        : []),
    ].join('\n');
  },
};

/** Returns a badge with the number of tested rules and compared requests. */
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
