import type { Page } from 'playwright-core';

interface Point {
  x: number;
  y: number;
}

/** Returns the center of the first matching element. */
export async function center(page: Page, selector: string): Promise<Point> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`no element matches ${selector}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Simulates touch events with one finger. */
export async function touchScreen(page: Page) {
  const session = await page.context().newCDPSession(page);
  let at: Point = { x: 0, y: 0 };
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    async down(point: Point) {
      at = point;
      await send('touchStart', [at]);
    },
    async to(point: Point) {
      const steps = 8;
      const { x, y } = at;
      for (let step = 1; step <= steps; step++) {
        at = { x: x + ((point.x - x) * step) / steps, y: y + ((point.y - y) * step) / steps };
        await send('touchMove', [at]);
      }
    },
    up: () => send('touchEnd', []),
    cancel: () => send('touchCancel', []),
  };
}
