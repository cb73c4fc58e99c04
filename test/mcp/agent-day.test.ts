import { expect, test, vi } from 'vitest';

test("the mcp-day example simulates a team's day with MCP tools", { timeout: 60_000 }, async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  // The example throws an error if a call returns an unexpected result.
  await import('../../examples/mcp-day.js');
  vi.restoreAllMocks();
  const text = lines.join('\n');
  expect(text).toContain('tickets_move failed: HTTP 422 wip_limit_reached. Nothing was changed.');
  expect(text).toMatch(/Launch-day dinner.*\n.*Crew manual/);
  expect(text).toContain('2 of 5 tickets done (40%), 3 open, 1 overdue');
  expect(text.match(/\? (Delete|Send)/g)).toHaveLength(4);
});
