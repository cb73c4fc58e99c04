/** Formats arguments as `console.log` would print them. */
export const formatLine = (values: unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : formatValue(value))).join(' ');

/** Formats a value as a code literal. `outer` contains the values that contain it. */
export function formatValue(value: unknown, indent = '', outer: readonly unknown[] = []): string {
  if (typeof value === 'string') return indent ? `'${value}'` : value;
  if (typeof value === 'function') return indent ? '' : '[function]';
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (outer.includes(value)) return '[circular]';
  const format = (inner: unknown) => formatValue(inner, deeper, [...outer, value]);
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map(format)
    : Object.entries(value)
        .filter(([, field]) => typeof field !== 'function')
        .map(([name, field]) => `${name}: ${format(field)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const line = `${open} ${parts.join(', ')} ${close}`;
  if (line.length + indent.length <= 72 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${close}`;
}
