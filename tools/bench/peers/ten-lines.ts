/** Ten-line programs for other clients, equivalent to the program in `tools/support/type-cost.ts`. */
export const tenLinesWith = {
  openai: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: 'https://api.example.com/v1', apiKey: 'sk' });
const model: OpenAI.Model = await client.models.retrieve('gpt');
const store = await client.vectorStores.create({ name: 'Apollo' });
try {
  await client.vectorStores.update(store.id, { name: 'Gemini' });
  for await (const { filename, bytes } of client.files.list({ limit: 50 })) console.log(model.id, filename, bytes);
} catch (error) {
  if (error instanceof OpenAI.UnprocessableEntityError) console.log(error.code, error.requestID);
}
`,
  '@notionhq/client': `import { APIResponseError, Client, iteratePaginatedAPI } from '@notionhq/client';

const client = new Client({ baseUrl: 'https://api.example.com', auth: 'secret' });
const page = await client.pages.create({ parent: { page_id: 'p1' }, properties: {} });
const comment = await client.comments.create({ parent: { page_id: page.id }, rich_text: [{ text: { content: 'Launch' } }] });
try {
  await client.pages.update({ page_id: page.id, archived: true });
  for await (const user of iteratePaginatedAPI(client.users.list, { page_size: 50 })) console.log(user.name, comment.id);
} catch (error) {
  if (error instanceof APIResponseError) console.log(error.code, error.status);
}
`,
};
