/** A tool call, its arguments, and what its result must contain. */
type Step = [tool: string, args: Record<string, unknown>, shows: string];

/**
 * Twelve tasks, each a list of the calls that a careful agent would make based on what it has read so far.
 * There is no model, so the numbers are the same on every run.
 */
export const tasks: Readonly<Record<string, readonly Step[]>> = {
  'Find a ticket and read it': [
    ['find_tickets', { q: 'Guidance' }, 'Guidance program'],
    ['tickets_get', { ticket: 'tkt_guidance' }, 'landing'],
  ],
  'Create a ticket with an assignee and a label': [
    [
      'tickets_create',
      { project: 'APO', board_id: 'To do', title: 'Splashdown', assignee_ids: ['Grace'], label_ids: ['bug'] },
      'assignees: Grace',
    ],
  ],
  'Change one word of a description': [
    ['tickets_get', { ticket: 'tkt_guidance' }, 'landing'],
    [
      'tickets_update',
      { ticket: 'tkt_guidance', replace_text: { old: 'landing', new: 'ascent' } },
      'tickets_update: done.',
    ],
  ],
  'Move a ticket to a full board, and recover': [
    ['boards_update', { board: 'APO/Doing', wip_limit: 1 }, 'wip_limit: 1'],
    ['tickets_move', { ticket: 'APO-2', board_id: 'Doing' }, 'wip_limit_reached'],
    ['tickets_move', { ticket: 'APO-2', board_id: 'Review' }, 'board_id: brd_review'],
  ],
  'Reprioritize and schedule a ticket': [
    [
      'tickets_update',
      { ticket: 'APO-2', priority: 'highest', due_at: '2026-02-01T12:00:00Z' },
      'priority: highest',
    ],
  ],
  'Report what is on each board': [['board_overview', { project: 'APO' }, '[board Doing']],
  'Summarize the week': [['weekly_summary', { project: 'APO' }, 'tickets done']],
  'Follow changes': [
    ['changes_since', { project: 'APO' }, 'since=c1.0'],
    ['tickets_update', { ticket: 'APO-2', title: 'Radio check again' }, 'title: Radio check again'],
    ['changes_since', { project: 'APO', since: 'c1.0' }, 'Radio check again'],
  ],
  'Write and publish a document': [
    [
      'documents_create',
      {
        title: 'Notes',
        project_id: 'APO',
        content: '# Notes\n\n- [x] fuel\n- [ ] doors',
        status: 'published',
      },
      'status: published',
    ],
  ],
  'Archive a ticket instead of deleting it': [
    ['tickets_update', { ticket: 'APO-2', archived: true }, 'archived_at:'],
    ['tickets_list', { project: 'APO' }, '| archived'],
  ],
  'Comment on a ticket': [
    ['tickets_comments_create', { ticket: 'APO-1', body: 'Reads **well**.' }, 'ticket_id:'],
  ],
  'Correct a mistyped board name': [
    ['tickets_list', { project: 'APO', board_id: 'Doign' }, 'is not a board of this project'],
    ['tickets_list', { project: 'APO', board_id: 'Doing' }, 'tickets 1-'],
  ],
};
