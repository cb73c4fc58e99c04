import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worktrack } from 'worktrack';
import { csvField } from './csv.js';

const boards = ['To do', 'Doing', 'Done'];

/** Writes a CSV file with `count` tickets to a temporary folder. */
export async function writeSample(count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, index) =>
    [
      `Ticket ${index + 1}, "imported"`,
      boards[index % 3]?.toLowerCase().replace(' ', '-') ?? '',
      index % 7 ? '' : 'high',
      '',
      `<p>Row ${index + 1}</p>`,
    ]
      .map(csvField)
      .join(','),
  );
  const file = join(await mkdtemp(join(tmpdir(), 'import-')), 'tickets.csv');
  await writeFile(file, ['title,board,priority,due_at,description_html', ...lines, ''].join('\n'));
  return file;
}

/** Creates a project with the boards used in the sample file. */
export async function makeProject(client: Worktrack): Promise<string> {
  const { id } = await client.projects.create({ name: 'Import', key: 'IMP' });
  for (const name of boards) await client.boards.create(id, { name });
  return id;
}
