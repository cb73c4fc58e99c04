import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMockServer, SeedError, type StateDump } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { readState } from '../../../mock-server/node/persistence.js';
import { replaceFile } from '../../../src/shared/files.js';
import { captureErrors, send, serve, stateFile, temporaryFolder, ticket } from './support/listening.js';
import { serverOf, world } from './support/server.js';

/** Loads the state from a file. */
const load = async (persist: string) =>
  createMockServer({ state: (await readState(persist)) as StateDump }).state;

describe("a state file's lock", () => {
  test('prevents a second server from opening the file, even through a symbolic link', async () => {
    const path = await temporaryFolder();
    const persist = join(path, 'state.json');
    const first = await serve({ persist });
    await symlink(persist, join(path, 'other-name.json'));

    for (const name of ['state.json', 'other-name.json']) {
      await expect(listen({ persist: join(path, name) })).rejects.toThrow(
        /state\.json is in use by process \d+ on .+$/,
      );
    }
    await first.close();
    await (await listen({ persist })).close();
    expect((await readdir(path)).toSorted()).toEqual(['other-name.json', 'state.json']);
  });

  test('lets only one server open the file if several servers start concurrently', async () => {
    const persist = await stateFile();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => listen({ world, persist })));
    const started = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    await Promise.all(started.map((server) => server.close()));

    expect(started).toHaveLength(1);
  });

  test('prevents further writes after another process has taken over the file', async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    const before = await readFile(persist, 'utf8');
    const printed = captureErrors();
    const [own = ''] = await readdir(`${persist}.lock`);
    const other = '0f8fad5b-d9cb-469f-a165-70867728950e';
    await rename(join(`${persist}.lock`, own), join(`${persist}.lock`, other));

    const { status, json } = await send(server.url, 'DELETE', ticket);

    const message = `${persist} can't be written: the lock on ${persist} was lost`;
    expect([status, json]).toEqual([500, { message: expect.stringContaining(message) }]);
    expect(printed).toHaveBeenCalledTimes(1);
    await expect(server.close()).rejects.toThrow(message);
    expect(await readFile(persist, 'utf8')).toBe(before);
    expect(await readdir(`${persist}.lock`)).toEqual([other]);
  });

  test('is deleted if the state file is invalid', async () => {
    const persist = await stateFile();
    await writeFile(persist, '{}');
    await expect(listen({ persist })).rejects.toThrow("doesn't contain valid state");
    await rm(persist);

    await serve({ persist });
  });
});

describe('listen({ persist })', () => {
  test('creates a file that only its owner can read and write', async () => {
    const persist = await stateFile();
    await serve({ persist });

    expect((await stat(persist)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
  });

  test('writes through a symbolic link to the file, but not through one at a predictable temporary path', async () => {
    const path = await temporaryFolder();
    await mkdir(join(path, 'data'));
    await symlink(join(path, 'data', 'state.json'), join(path, 'link.json'));
    await writeFile(join(path, 'data', 'state.json'), JSON.stringify(serverOf().export()));
    await writeFile(join(path, 'victim'), 'untouched');
    await symlink(join(path, 'victim'), join(path, 'data', 'state.json.tmp'));
    const server = await serve({ persist: join(path, 'link.json') });
    await send(server.url, 'PATCH', ticket, { title: 'Linked' });

    expect(await readFile(join(path, 'data', 'state.json'), 'utf8')).toContain('"Linked"');
    expect(await readFile(join(path, 'victim'), 'utf8')).toBe('untouched');
  });

  test('flushes each write to disk before responding, and closes all files', async () => {
    const handle = await open(new URL(import.meta.url));
    await handle.close();
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    const write = vi.spyOn(prototype, 'appendFile');
    const flush = vi.spyOn(prototype, 'datasync');
    onTestFinished(() => {
      write.mockRestore();
      flush.mockRestore();
    });
    const server = await serve({ persist: await stateFile() });

    await send(server.url, 'PATCH', ticket, { title: 'Flushed' });

    expect([write.mock.calls.length, flush.mock.calls.length]).toEqual([1, 1]);
    const handles = [...write.mock.contexts, ...flush.mock.contexts] as FileHandle[];
    expect(new Set(handles.map(({ fd }) => fd))).toEqual(new Set([-1]));
  });

  test('saves the changes made by a request whose response is lost', async () => {
    const persist = await stateFile();
    const server = await serve({ persist });
    server.mock.faults.add({ error: 'response_lost' });

    await expect(send(server.url, 'DELETE', ticket)).rejects.toThrow(TypeError);

    expect((await load(persist)).tickets.all().map(({ id }) => id)).toEqual(['tkt_2']);
  });

  test("applies a response_lost fault even if the file can't be written", async () => {
    const path = join(await temporaryFolder(), 'below');
    await mkdir(path);
    const server = await serve({ persist: join(path, 'state.json') });
    server.mock.faults.add({ error: 'response_lost' });
    await rename(path, `${path}-moved`);

    await expect(send(server.url, 'DELETE', ticket)).rejects.toThrow(TypeError);

    await rename(`${path}-moved`, path);
  });

  test.each([
    ['a read', 'tickets.get', 'GET', ticket, undefined, 200],
    ['a move to the same place', 'tickets.move', 'POST', `${ticket}/move`, { board_id: 'brd_todo' }, 500],
  ] as const)('handles %s while a write is failing, and logs why the write failed', async (...row) => {
    const [, operation, method, url, body, status] = row;
    const path = join(await temporaryFolder(), 'below');
    await mkdir(path);
    const server = await serve({ persist: join(path, 'state.json') });
    const printed = captureErrors();
    await rename(path, `${path}-moved`);
    let change = () => {};
    const changed = new Promise<void>((resolve) => {
      change = resolve;
    });
    server.mock.override(operation, async (_, next) => {
      await changed;
      // Let the write start. The write can fail only after these promises have resolved.
      for (let count = 0; count < 100; count += 1) await Promise.resolve();
      return next();
    });
    server.mock.override('tickets.update', async (_, next) => {
      const updated = await next();
      change();
      return updated;
    });

    const waiting = send(server.url, method, url, body);
    await vi.waitFor(() => expect(server.mock.requests.length).toBe(1));
    const writing = await send(server.url, 'PATCH', ticket, { title: 'New' });

    expect([(await waiting).status, writing.status]).toEqual([status, 500]);
    const logged = [
      '[worktrack]',
      expect.objectContaining({
        message: expect.stringContaining("state.json can't be written: ENOENT"),
        cause: expect.objectContaining({ code: 'ENOENT' }),
      }),
    ];
    expect(printed.mock.calls).toEqual(status === 500 ? [logged, logged] : [logged]);
    await rename(`${path}-moved`, path);
  });

  test("saves changes on close even if they weren't made by a request", async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    server.mock.add.ticket({ board: 'brd_todo', title: 'Added' });

    await server.close();

    expect((await load(persist)).tickets.all().map(({ title }) => title)).toContain('Added');
  });

  test("doesn't write the file on close if nothing has changed", async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    await writeFile(persist, 'touched');

    await server.close();

    expect(await readFile(persist, 'utf8')).toBe('touched');
  });

  test("rejects invalid seed data with a SeedError and doesn't leave any files behind", async () => {
    const path = await temporaryFolder();
    const invalid = { organizations: [{ nam: 'x' }] } as never;

    const failed = listen({ world: invalid, persist: join(path, 'state.json') });

    await expect(failed).rejects.toThrow(SeedError);
    await expect(failed).rejects.toThrow(/^organizations\[0\]\.name: is required/);
    expect(await readdir(path)).toEqual([]);
  });

  test('reports an invalid option without mentioning the state file', async () => {
    const persist = await stateFile();
    await (await listen({ world, persist })).close();

    await expect(listen({ persist, faults: [{ status: 1 }] })).rejects.toMatchObject({
      name: 'TypeError',
      message: 'faults: option "status" must be an integer from 200 to 599 (got 1)',
    });
  });

  test("doesn't leave a temporary file behind if writing fails", async () => {
    const path = await temporaryFolder();
    const beforeRename = async () => {
      await mkdir(join(path, 'state.json', 'in-the-way'), { recursive: true });
    };

    await expect(replaceFile(join(path, 'state.json'), '{}', { beforeRename })).rejects.toThrow();
    expect(await readdir(path)).toEqual(['state.json']);
  });

  test('deletes temporary files only if a killed process left them behind', async () => {
    const path = await temporaryFolder();
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const others = [
      'other.json',
      `other.json.${id}.tmp`,
      `state.json.${'z'.repeat(36)}.tmp`,
      `state.json.${id}.tmp.backup`,
      'state.json.notes.tmp',
      `state.json.old.${id}.tmp`,
    ];
    for (const name of [`state.json.${id}.tmp`, ...others]) await writeFile(join(path, name), '');
    await (await listen({ world, persist: join(path, 'state.json') })).close();

    expect((await readdir(path)).toSorted()).toEqual(['state.json', ...others].toSorted());
  });
});
