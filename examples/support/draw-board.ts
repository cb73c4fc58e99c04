import type { Board, Ticket } from 'worktrack';

const columnWidth = 21;

/** Draws boards side by side, each as a column of tickets. Four boards fit in a 100-column terminal. */
export function drawBoard(boards: Board[], tickets: Ticket[]): string {
  const columns = boards.map((board) => {
    const onBoard = tickets.filter((ticket) => ticket.board_id === board.id);
    return [heading(board, onBoard.length), rule, ...onBoard.flatMap(card)];
  });
  const height = Math.max(...columns.map((column) => column.length));
  const lines = Array.from({ length: height }, (_, row) =>
    columns.map((column) => pad(column[row] ?? '')).join(' │ '),
  );
  const edge = (corner: string) => columns.map(() => rule).join(`─${corner}─`);
  return [`┌─${edge('┬')}─┐`, ...lines.map((line) => `│ ${line} │`), `└─${edge('┴')}─┘`]
    .join('\n')
    .replace(/^│ ─(.*)─ │$/m, '├──$1──┤')
    .replace(/(?<=─) │ (?=─)/g, '─┼─');
}

/** Draws a percentage as a 40-character bar. */
export function drawProgress(percentage: number): string {
  const filled = Math.round((percentage / 100) * 40);
  return `${'█'.repeat(filled)}${'░'.repeat(40 - filled)} ${percentage}%`;
}

const rule = '─'.repeat(columnWidth);

function heading({ name, wip_limit, is_done }: Board, count: number): string {
  const counts = wip_limit === null ? `${count}` : `${count}/${wip_limit}`;
  const title = `${is_done ? '✔ ' : ''}${name}`;
  return title + counts.padStart(columnWidth - title.length);
}

function card({ number, title, priority, assignees }: Ticket): string[] {
  const people = assignees.map(({ name }) => name).join(', ');
  const urgency = ['high', 'highest', 'critical'].includes(priority) ? ` ▲ ${priority}` : '';
  return [`#${number} ${title}`, `   ${people || 'unassigned'}${urgency}`, ''];
}

function pad(text: string): string {
  const characters = [...text];
  const shown = characters.length > columnWidth ? [...characters.slice(0, columnWidth - 1), '…'] : characters;
  return shown.join('') + ' '.repeat(columnWidth - shown.length);
}
