import type { Change } from '../../src/changes/index.js';
import { toOneLine } from '../terminal/text.js';

/** Describes a change in one line, for example `14:05:09 ticket.updated "Fuel valves" (priority: "normal" → "high")`. */
export function describeChange(change: Change): string {
  const time = new Date(change.observedAt).toLocaleTimeString([], { hour12: false });
  const fields = change.fields.map((name) => fieldOf(change, name)).join(', ');
  return toOneLine(`${time} ${change.type} ${nameOf(change)}${fields && ` (${fields})`}`);
}

function nameOf({ before, after, recordId }: Change): string {
  const { title, name } = { ...before, ...after } as { title?: string; name?: string };
  return JSON.stringify(toOneLine(title ?? name ?? recordId));
}

function fieldOf({ before, after }: Change, name: string): string {
  const [old, now] = [before, after].map((record) => textOf((record as Record<string, unknown>)[name]));
  return old === undefined || now === undefined ? name : `${name}: ${old} → ${now}`;
}

/** Returns a short value as text, or undefined for lists and long strings. */
function textOf(value: unknown): string | undefined {
  if (value === null) return 'none';
  if (['number', 'boolean'].includes(typeof value)) return String(value);
  return typeof value === 'string' && value.length <= 60 ? JSON.stringify(toOneLine(value)) : undefined;
}
