import { readFileSync } from 'node:fs';
import { root } from '../entries.js';

/** A rule in docs/specification.md. */
export interface Rule {
  id: string;
  text: string;
  heading: string;
}

/** Returns the rules, which are list items and table rows that start with an ID. */
export function specifiedRules(): Rule[] {
  let heading = '';
  return readFileSync(`${root}docs/specification.md`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      heading = /^##+ (.*)/.exec(line)?.[1] ?? heading;
      const [, item, sentence] = /^- \*\*([A-Z]-\d+)\*\* (.*)/.exec(line) ?? [];
      if (item && sentence) return [{ id: item, text: sentence, heading }];
      const [, row, cells] = /^\| ([A-Z]-\d+) \| (.*) \|$/.exec(line) ?? [];
      return row && cells ? [{ id: row, text: cells.split(' | ').slice(0, 2).join(': '), heading }] : [];
    });
}

/** Splits a test's title, such as `B-2 boards.reorder …`, into the rules' IDs and the rest. */
export function rulesIn(name: string): { ids: string[]; title: string } {
  const [, ids = '', title = name] = /^((?:[A-Z]-\d+,? )*)(.*)/.exec(name) ?? [];
  return { ids: ids.match(/[A-Z]-\d+/g) ?? [], title };
}
