import { expect, test } from 'vitest';
import { useSite } from './support/visit.js';

const visit = useSite();

test("tables on operation pages fit on a phone's screen and are accessible in light and dark mode", async () => {
  const options = { viewport: { width: 390, height: 844 } };
  const { page, overflow, violations, darkViolations } = await visit(
    'reference/operations/tickets.create.html',
    options,
  );
  const hidden = await page
    .locator('.vp-doc table')
    .evaluateAll((tables) => tables.map((table) => table.scrollWidth - table.clientWidth));
  expect(hidden.length).toBeGreaterThan(3);
  expect(hidden.filter((pixels) => pixels > 0)).toEqual([]);
  expect(await overflow()).toBeLessThanOrEqual(0);
  expect(await violations()).toEqual([]);
  expect(await darkViolations()).toEqual([]);

  // Screen readers must still announce this as a table with columns.
  const fields = page.getByRole('table').filter({ has: page.getByRole('cell', { name: 'assignee_ids' }) });
  await expect.poll(() => fields.count()).toBe(1);
  const headers = fields.getByRole('columnheader');
  expect(await headers.allTextContents()).toEqual(['field', 'required', 'type', 'limits', 'description']);
  expect(await fields.getByRole('row').nth(1).getByRole('cell').count()).toBe(5);
});
