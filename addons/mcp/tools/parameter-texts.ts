import type { InputSchema } from './tool.js';

/**
 * The descriptions of the parameters, which are the same in all tools unless a schema has its own
 * description. The server's instructions explain paging and `fields`. Enums don't need a description.
 */
const texts: Readonly<Record<string, string>> = {
  project: 'ID, key, or name',
  board: 'ID, or APO/Doing',
  ticket: 'ID, or APO-3',
  document: 'ID',
  tickets: 'IDs, or APO-3',
  project_id: 'ID, key, or name',
  board_id: 'ID or name',
  board_slug: 'Instead of board_id',
  board_ids: 'All boards, in order',
  ticket_ids: 'All tickets, in order',
  move_to_board_id: 'The board for its tickets',
  assignee_ids: 'Names or IDs',
  label_ids: 'Names or IDs',
  editor_ids: 'Names or IDs',
  user_ids: 'Names or IDs of the recipients',
  assignee: 'Name or ID',
  label: 'Name or ID',
  done: 'On a done board',
  archived: 'Whether it is archived',
  q: 'Search text',
  tags: 'Must all match',
  format: 'Of the long text',
  text_offset: 'Continues a long text',
  name: 'The name',
  key: 'Never changes',
  description: 'Plain text',
  title: 'Plain text',
  caption: 'Plain text',
  description_html: 'HTML, instead of Markdown',
  content_html: 'HTML, instead of Markdown',
  body_html: 'HTML, instead of Markdown',
  body: 'Plain text',
  url: 'A path under /app',
  due_at: 'RFC 3339; null removes it',
  color: 'Such as #c2410c',
  wip_limit: 'Ticket limit; null removes it',
  is_done: 'Tickets here are done',
  is_hidden: 'Whether it is hidden',
  position: 'From 0; the end by default',
  tag_names: 'Replaces all tags',
  tickets_per_board: 'Rows',
  since: 'Time, or cursor',
  world: 'Seed data',
  tool: 'Such as tickets_move',
  times: 'Number of requests',
  latency_ms: 'Delay',
  retry_after: 'Seconds',
  error: 'How the response fails',
  advance_seconds: 'Relative',
  set: 'Absolute time',
};

/** Describes every parameter. */
export function withParameterTexts(schema: InputSchema): InputSchema {
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    texts[name] === undefined || property.description !== undefined
      ? property
      : { ...property, description: texts[name] },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
