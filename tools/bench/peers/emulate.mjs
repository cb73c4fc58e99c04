// Runs emulate's GitHub service, whose issues are similar to tickets.
import { createEmulator } from 'emulate';

const [issues, ticket] = process.argv.slice(2).map((text) => JSON.parse(text));
// The emulate server limits each credential to 5,000 requests.
const tokens = Array.from({ length: 20 }, (_, index) => `wt_bench_${index}`);
const github = await createEmulator({
  service: 'github',
  port: 0,
  seed: {
    github: {
      users: [{ login: 'ada', name: 'Ada' }],
      repos: [{ owner: 'ada', name: 'apollo' }],
    },
    tokens: Object.fromEntries(tokens.map((token) => [token, { login: 'ada', scopes: ['repo'] }])),
  },
});
const url = `${github.url}/repos/ada/apollo/issues`;
const patience = 60_000;

const notRun = await fill();
process.send?.(notRun ? { notRun } : { url: `${url}?per_page=50`, tokens });
process.on('disconnect', () => process.exit());

/**
 * Creates the issues through the API, because they can't be part of the seed data. Stops early if creating
 * all of them would take more than a minute.
 */
async function fill() {
  const started = performance.now();
  for (let done = 0; done < issues; done++) {
    const expected = ((performance.now() - started) / done) * issues;
    if (done >= 500 && expected > patience) {
      return `creating ${issues.toLocaleString('en-US')} issues one request at a time would take over a minute`;
    }
    await create(done);
  }
  return undefined;
}

async function create(index) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[index % tokens.length]}` },
    body: JSON.stringify({ title: `Ticket ${index}`, body: ticket.description_html, assignees: ['ada'] }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
}
