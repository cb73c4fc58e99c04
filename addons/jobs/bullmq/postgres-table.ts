import type { PostgresQueueBackend, Queue } from 'bullmq';

/** Runs a statement in a queue's Postgres schema. */
export type Query = <Row>(text: string, parameters?: unknown[]) => Promise<Row[]>;

/** A table in BullMQ's schema. Its columns contain text. */
interface Table {
  name: string;
  /** An SQL expression that is null if the table must be created. */
  existing: string;
  /** The statements that create the table. */
  create: string;
  /** The name of the lock that is held while the table is created. */
  lock: string;
  /** The columns of the primary key. */
  key: readonly string[];
}

/**
 * Creates a table if it's missing. Checks its columns and its key, in case another program created it.
 *
 * @throws the given error if they're different
 */
export async function openTable(
  queue: Queue,
  { name, existing, create, lock, key }: Table,
  TableError: new (message: string, options: ErrorOptions) => Error,
): Promise<Query> {
  const { pool } = (queue.getBackend() as unknown as PostgresQueueBackend).connection;
  const query: Query = async (text, parameters = []) => (await pool.query(text, parameters)).rows;
  const [found] = await query<{ exists: boolean }>(`SELECT ${existing} IS NOT NULL AS exists`);
  // Even with `IF NOT EXISTS`, Postgres rejects the statement if the user isn't allowed to create tables.
  // Postgres runs statements without parameters in a single transaction. Without the lock, two processes that
  // create the table at the same time would conflict.
  if (!found?.exists) await query(`SELECT pg_advisory_xact_lock(hashtext('${lock}')); ${create}`);
  const columns = [...key, 'value'];
  try {
    // This statement writes nothing.
    await query(
      `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${columns.map(() => "''::text").join(', ')}
       WHERE false ON CONFLICT (${key.join(', ')}) DO NOTHING`,
    );
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (!differences.includes(code ?? '')) throw cause;
    throw new TableError(
      `the Postgres table "${name}" wasn't created by worktrack (${message}); use another schema, or rename the table`,
      { cause },
    );
  }
  return query;
}

/**
 * Postgres's error codes for a missing column, a missing unique key, a wrong column type, and a relation that
 * isn't a table.
 */
const differences = ['42703', '42P10', '42804', '42809'];
