import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../entries.js';

/** A typical first program, in ten lines. */
export const tenLines = `import { type Ticket, UnprocessableError, Worktrack } from 'worktrack';

const client = new Worktrack({ baseUrl: 'https://work.example.com', token: 'wt', organization: 'org_acme' });
const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
const board = await client.boards.create(project.id, { name: 'Doing', wip_limit: 3 });
const ticket: Ticket = await client.tickets.create(project.id, { board_id: board.id, title: 'Launch' });
try {
  await client.tickets.move(ticket.id, { board_id: board.id, position: 0 });
  for await (const { title, labels } of client.tickets.list(project.id, { q: 'launch' })) console.log(title, labels);
} catch (error) {
  if (error instanceof UnprocessableError) console.log(error.code, error.fieldErrors);
}
`;

export interface TypeCost {
  instantiations: number;
  /** The check time reported by tsc, in seconds, minus the time for an empty file. */
  checkTime: number;
}

/**
 * Measures the cost of type-checking a program, minus the cost of an empty file. The program's imports must
 * be installed in `home`.
 */
export function typeCost(home: string, program = tenLines): TypeCost {
  const empty = diagnose(home, 'export {};\n');
  const used = diagnose(home, program);
  return {
    instantiations: used.instantiations - empty.instantiations,
    checkTime: Math.max(0, used.checkTime - empty.checkTime),
  };
}

function diagnose(home: string, program: string): TypeCost {
  const { status, output } = compile(join(root, 'node_modules/typescript'), home, program, 'nodenext');
  if (status !== 0) throw new Error(output);
  const metric = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)?.[1]);
  return { instantiations: metric('Instantiations'), checkTime: metric('Check time') };
}

/** Type-checks a program in a folder under `home` with the given TypeScript version and module resolution. */
export function compile(typescript: string, home: string, program: string, resolution: string) {
  const folder = join(home, `types-${resolution}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'main.ts'), program);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  const args = [join(typescript, 'bin/tsc'), '-p', folder, '--extendedDiagnostics'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
