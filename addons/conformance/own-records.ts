import type { OperationId } from '../../src/contract/index.js';
import { isObject } from '../../src/internal.js';

/**
 * Knows which records a run created, and may therefore change and delete. A response can contain the ID of a
 * record that already existed, for example if a server returns that record instead of creating another one.
 */
export class OwnRecords {
  /** The random text in the names, keys, and titles of the run's records. */
  readonly mark: string;
  /** A random ID that no record has. */
  readonly unknownId: string;
  /** The IDs of the projects and documents that existed before, by the operation that creates more of them. */
  readonly #existing = new Map<OperationId, ReadonlySet<string>>();
  readonly #own = new Set<string>();

  /** @param mark eight lowercase letters or digits */
  constructor(mark: string = randomMark()) {
    this.mark = mark;
    this.unknownId = `01ARZ3NDEKTSV4RRFF${mark.toUpperCase()}`;
  }

  /** Returns whether the run created the record with this ID. */
  has(id: unknown): boolean {
    return this.#own.has(String(id));
  }

  /** Returns whether the existing records are known that this operation could return. */
  knowsExisting(create: OperationId): boolean {
    return this.#existing.has(create);
  }

  noteExisting(create: OperationId, ids: Iterable<unknown>): void {
    this.#existing.set(create, new Set(Array.from(ids, String)));
  }

  /**
   * Notes the record in a 2xx response to a create, if it's certainly new.
   *
   * @param parent the project in the path of the request, if any
   * @returns whether the record belongs to the run
   */
  claim(create: OperationId, record: unknown, parent: string | undefined): boolean {
    if (!isObject(record)) return false;
    const id = String(record.id);
    const isNew = parent === undefined ? this.#isNew(create, id, record) : this.#isInside(record, parent);
    if (isNew) this.#own.add(id);
    return this.has(id);
  }

  /** A project or a document is new if it carries the mark and didn't exist before the run. */
  #isNew(create: OperationId, id: string, record: Record<string, unknown>): boolean {
    const existing = this.#existing.get(create);
    return existing !== undefined && !existing.has(id) && this.#isMarked(record) && !wasUpdated(record);
  }

  /** Everything in a project of the run belongs to the run. Some deployments don't return the project's ID. */
  #isInside(record: Record<string, unknown>, project: string): boolean {
    if (!this.has(project)) return false;
    const { project_id } = record;
    return project_id === undefined ? this.#isMarked(record) : String(project_id) === project;
  }

  #isMarked(record: Record<string, unknown>): boolean {
    return Object.values(record).some(
      (value) => typeof value === 'string' && value.toLowerCase().includes(this.mark),
    );
  }
}

function randomMark(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => alphabet[byte % 32]).join('');
}

/** Returns whether the record was created over a minute before its last update, such as an archived record. */
function wasUpdated({ created_at, updated_at }: Record<string, unknown>): boolean {
  return Date.parse(String(updated_at)) - Date.parse(String(created_at)) > 60_000;
}
