import { type OperationId, operationIds, operationOf } from '../../src/contract/index.js';
import { conformanceOptions, formats } from '../conformance-command.js';
import { mockOptions } from '../mock-command.js';
import { commonOptions } from './arguments.js';
import { fieldsOf, namespaces } from './description.js';

/** What can follow the words before the cursor; the last word may be a beginning. */
export function candidates(words: readonly string[]): string[] {
  // bash takes `--priority=h` for three words, and hands over `=` where nothing follows it yet.
  const last = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
  const { said, pending } = read(words.slice(0, -1).filter((word) => word !== '='));
  const [, name, beginning = ''] = /^(--[\w-]+)=(.*)$/s.exec(last) ?? [];
  if (name) {
    const values = optionIn(said, name)?.values ?? [];
    return values.filter((value) => value.startsWith(beginning)).map((value) => `${name}=${value}`);
  }
  const offered = pending?.values ?? [...wordsAfter(said), ...optionsOf(said).map((option) => option.name)];
  return [...new Set(offered)].filter((word) => word.startsWith(last));
}

interface Option {
  /** With its hyphens. */
  name: string;
  /** What can follow it, none where that is free text; undefined where it stands alone. */
  values?: readonly string[];
}

/** The words that are neither options nor their values, and the option that waits for its value. */
function read(words: readonly string[]): { said: string[]; pending: Option | undefined } {
  const said: string[] = [];
  let pending: Option | undefined;
  for (const word of words) {
    if (pending?.values) pending = undefined;
    else if (word.startsWith('-')) pending = optionIn(said, word);
    else said.push(word);
  }
  return { said, pending: pending?.values && pending };
}

const optionIn = (said: readonly string[], name: string) =>
  optionsOf(said).find((option) => underscored(option.name) === underscored(name));

const underscored = (name: string) => name.slice(2).replaceAll('-', '_');

/** The words that make a command, and those after it. */
function wordsAfter(said: readonly string[]): string[] {
  const [first, ...others] = said;
  if (first === undefined) return [...namespaces.keys(), 'mock', 'conformance', 'completion', 'help'];
  if (first === 'help') return wordsAfter(others).filter((word) => word !== 'help');
  if (first === 'completion') return others.length === 0 ? ['bash', 'zsh', 'fish'] : [];
  return (namespaces.get(first) ?? [])
    .map((id) => id.split('.'))
    .filter((words) => words.length > said.length && said.every((word, index) => word === words[index]))
    .map((words) => words[said.length] ?? '');
}

function optionsOf(said: readonly string[]): Option[] {
  const [first = ''] = said;
  const help = { name: '--help' };
  if (first === 'mock') return [...parsed(mockOptions), help];
  if (first === 'conformance') {
    const values = { format: Object.keys(formats), operation: operationIds };
    return [...parsed(conformanceOptions, values), help];
  }
  const id = namespaces.get(first)?.find((one) => one.split('.').every((word, at) => word === said[at]));
  return id ? [...fieldOptions(id), ...optionsOfAll(id), help] : [];
}

function fieldOptions(id: OperationId): Option[] {
  return fieldsOf(id).flatMap(({ name, type, values }): Option[] =>
    type === 'boolean' ? [{ name: `--${name}` }, { name: `--no-${name}` }] : [{ name: `--${name}`, values }],
  );
}

function optionsOfAll(id: OperationId): Option[] {
  const fields = fieldsOf(id);
  const nullable = fields.filter((field) => field.nullable).map(({ name }) => name);
  const { paginated, method } = operationOf(id);
  return parsed(commonOptions, { null: nullable }).filter(
    ({ name }) =>
      (name !== '--all' || paginated) &&
      (name !== '--null' || nullable.length > 0) &&
      (name !== '--data' || (fields.length > 0 && method !== 'GET')),
  );
}

/** Options as `parseArgs` takes them. */
const parsed = (
  options: Record<string, { type: 'string' | 'boolean' }>,
  values: Record<string, readonly string[]> = {},
) =>
  Object.entries(options).map(
    ([name, { type }]): Option =>
      type === 'boolean' ? { name: `--${name}` } : { name: `--${name}`, values: values[name] ?? [] },
  );
