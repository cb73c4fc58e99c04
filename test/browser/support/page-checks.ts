import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Describes the violations axe finds. Checks all rules by default. */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    // For the other results, axe needs as much time as for the checks themselves.
    (runOnly) =>
      (globalThis as never as { axe: Axe }).axe.run({
        resultTypes: ['violations'],
        ...(runOnly && { runOnly }),
      }),
    rules,
  );
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target).join(' | ')})`,
  );
}

/** Checks the contrast in dark mode, which changes only the colors. */
export async function findDarkViolations(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  return findViolations(page, ['color-contrast']);
}

/** Returns how much wider the page is than the window, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

interface Axe {
  run(options: {
    resultTypes: string[];
    runOnly?: string[];
  }): Promise<{ violations: { id: string; help: string; nodes: { target: string[] }[] }[] }>;
}
