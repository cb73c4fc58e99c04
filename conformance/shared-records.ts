import type { Json } from './records.js';

/** The harness methods that create records. */
interface RecordCreator {
  createProject(): Promise<Json>;
  createBoard(project: Json): Promise<Json>;
  createTicket(project: Json, board: Json): Promise<Json>;
  createDocument(): Promise<Json>;
}

/** Records read by many rules but modified by none. Each record is created on first use. */
export class SharedRecords {
  readonly project: () => Promise<Json>;
  readonly board: () => Promise<Json>;
  readonly ticket: () => Promise<Json>;
  readonly document: () => Promise<Json>;
  /**
   * The parts of error bodies that the deployment leaves out. Only the rules about these parts fail, so a
   * deployment without error codes doesn't violate every other rule.
   */
  missingInErrors: readonly ('code' | 'errors')[] = [];

  constructor(harness: RecordCreator) {
    this.project = once(() => harness.createProject());
    this.board = once(async () => harness.createBoard(await this.project()));
    this.ticket = once(async () => harness.createTicket(await this.project(), await this.board()));
    this.document = once(() => harness.createDocument());
  }
}

function once(create: () => Promise<Json>): () => Promise<Json> {
  let record: Promise<Json> | undefined;
  return () => {
    record ??= create();
    return record;
  };
}
