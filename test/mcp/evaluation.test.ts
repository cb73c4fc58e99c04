import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { evaluate } from './support/evaluation.js';

test('twelve tasks stay within their call and token budgets, and the guide shows the same numbers', async () => {
  const costs = await evaluate();
  const sum = (name: 'calls' | 'tokens' | 'errors') => costs.reduce((total, cost) => total + cost[name], 0);
  const rows = costs.map(
    ({ task, calls, tokens, errors }) => `| ${task} | ${calls} | ${tokens} | ${errors} |`,
  );
  const table = [...rows, `| Total | ${sum('calls')} | ${sum('tokens')} | ${sum('errors')} |`].join('\n');
  expect(costs).toHaveLength(12);
  expect(sum('calls')).toBeLessThanOrEqual(56);
  expect(sum('tokens')).toBeLessThanOrEqual(30_000);
  if (process.env.npm_lifecycle_event === 'eval:mcp') console.log(table);
  const tokens = sum('tokens').toLocaleString('en-US');
  const most = Math.max(...costs.map((cost) => cost.tokens));
  expect(readFileSync('docs/guide/mcp.md', 'utf8')).toContain(
    `take ${sum('calls')} tool calls in total. The results total ${tokens} tokens (o200k), with at most ${most} for any one task.`,
  );
});
