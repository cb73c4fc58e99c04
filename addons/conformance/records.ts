import { Mismatch, NotCheckable } from './expectations.js';

/** The harness methods that create records. */
interface RecordCreator {
  createProject(): Promise<Json>;
  createBoard(project: Json): Promise<Json>;
  createTicket(project: Json, board: Json): Promise<Json>;
  createDocument(): Promise<Json>;
}

type Records = Readonly<Record<'project' | 'board' | 'ticket' | 'document', () => Promise<Json>>>;

/** Records that many rules read and no rule modifies. Each record is created on first use. */
export class SharedRecords implements Records {
  /** Creates further records in the shared ones. */
  readonly create: Records;
  readonly project: () => Promise<Json>;
  readonly board: () => Promise<Json>;
  readonly ticket: () => Promise<Json>;
  readonly document: () => Promise<Json>;
  /**
   * The parts missing from the deployment's error bodies. Only the rules about these parts fail. Otherwise, a
   * deployment without error codes would fail almost every rule.
   */
  missingInErrors: readonly ('code' | 'errors')[] = [];

  constructor(harness: RecordCreator) {
    this.create = {
      project: () => harness.createProject(),
      board: async () => harness.createBoard(await this.project()),
      ticket: async () => harness.createTicket(await this.project(), await this.board()),
      document: () => harness.createDocument(),
    };
    this.project = once(this.create.project);
    this.board = once(this.create.board);
    this.ticket = once(this.create.ticket);
    this.document = once(this.create.document);
  }
}

function once(create: () => Promise<Json>): () => Promise<Json> {
  let record: Promise<Json> | undefined;
  return () => {
    record ??= create();
    return record;
  };
}

/** A value from a response. It can have any type, because responses aren't validated. */
export type Json = ReturnType<typeof JSON.parse>;

/**
 * Wraps a response so that rules that read a missing field are reported as not checkable. The specification
 * doesn't define response fields.
 *
 * @param source the request, for error messages
 */
export function guardFields(value: Json, source: string): Json {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name, receiver) {
      const inherited = typeof name === 'symbol' || name === 'toJSON' || name === 'then';
      if (!inherited && !(name in target)) {
        if (name in Array.prototype) throw new Mismatch(`${source}: expected a list`);
        throw new NotCheckable(`${source} doesn't return "${name}"`);
      }
      return guardFields(Reflect.get(target, name, receiver), source);
    },
  });
}
