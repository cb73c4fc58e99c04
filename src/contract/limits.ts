/**
 * The limits for request fields. You can use them to validate forms, for example. String limits are in
 * Unicode code points, and list limits are in items.
 */
export const limits = {
  project: { name: 180, key: 12, description: 5000 },
  board: { name: 120, color: 32 },
  ticket: { title: 500, description_html: 200_000 },
  comment: { body_html: 200_000 },
  document: {
    title: 500,
    caption: 2000,
    content_html: 1_000_000,
    editor_ids: 100,
    tag_names: 20,
    tag_name: 50,
  },
  notification: { title: 180, body: 2000, user_ids: 100 },
} as const;
