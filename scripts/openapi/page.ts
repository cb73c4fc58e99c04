import type { JsonSchema } from './schemas.js';

const link: JsonSchema = { type: ['string', 'null'], format: 'uri' };
const index = (description: string): JsonSchema => ({ type: ['integer', 'null'], minimum: 1, description });

/** What stands around the items of a page. */
export const pageSchema: Record<string, JsonSchema> = {
  Page: {
    type: 'object',
    required: ['data', 'current_page', 'per_page', 'last_page', 'total', 'from', 'to'],
    properties: {
      data: { type: 'array', description: 'The items of this page.', items: {} },
      current_page: { type: 'integer', minimum: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 200 },
      last_page: { type: 'integer', minimum: 1, description: 'The number of the last page, at least 1.' },
      total: { type: 'integer', minimum: 0, description: 'Items on all pages.' },
      from: index('Index of the first item on the page, from 1; null on an empty page.'),
      to: index('Index of the last item on the page; null on an empty page.'),
      path: { type: 'string', format: 'uri' },
      first_page_url: link,
      last_page_url: link,
      next_page_url: link,
      prev_page_url: link,
      links: {
        type: 'array',
        items: {
          type: 'object',
          required: ['url', 'label', 'active'],
          properties: { url: link, label: { type: 'string' }, active: { type: 'boolean' } },
        },
      },
    },
  },
};
