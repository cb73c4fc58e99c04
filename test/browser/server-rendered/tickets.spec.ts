import { expect, test } from 'worktrack/testing/playwright';

test.use({
  mockOptions: {
    world: {
      organizations: [
        {
          id: 'org_acme',
          name: 'Acme',
          credentials: [{ token: 'wt_ci' }],
          projects: [{ id: 'prj_apollo', name: 'Apollo', boards: [{ name: 'To do' }] }],
        },
      ],
    },
  },
  // The browser adds these headers to every request, and the app forwards them to the mock server.
  extraHTTPHeaders: ({ space }, use) => use(space.headers),
});

for (const title of ['Launch', 'Orbit', 'Land', 'Recover']) {
  test(`creates the ticket "${title}"`, async ({ page, space }) => {
    await page.goto('/');
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Create ticket' }).click();

    await expect(page.getByRole('listitem')).toHaveText([title]);
    await expect(space).toHaveReceivedTimes('tickets.create', 1, { body: { title } });
  });
}
