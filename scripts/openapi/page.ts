import type { JsonSchema } from './json-schema.js';

const link: JsonSchema = { type: ['string', 'null'], format: 'uri' };
const index: JsonSchema = { type: ['integer', 'null'], minimum: 1 };

/** The schema of a page whose items can have any type. */
export const pageSchema: Record<string, JsonSchema> = {
  Page: {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/PageInfo' }],
    required: ['data'],
    properties: {
      data: { type: 'array', description: 'The items on this page.', items: {} },
      current_page: { type: 'integer', minimum: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 200 },
      last_page: { type: 'integer', minimum: 1 },
      total: { type: 'integer', minimum: 0 },
      from: index,
      to: index,
      path: { type: 'string', format: 'uri' },
      first_page_url: link,
      last_page_url: link,
      next_page_url: link,
      prev_page_url: link,
      links: {
        type: 'array',
        items: {
          type: 'object',
          properties: { url: link, label: { type: 'string' }, active: { type: 'boolean' } },
        },
      },
    },
  },
};
