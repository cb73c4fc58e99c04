/**
 * Checks that a table has the expected text columns and unique key, in case another program created it.
 * Writes nothing.
 *
 * @throws the given error if it doesn't
 */
export async function checkTable(
  query: (text: string) => Promise<unknown>,
  table: string,
  { key, values }: { key: readonly string[]; values: readonly string[] },
  TableError: new (message: string, options: ErrorOptions) => Error,
): Promise<void> {
  const columns = [...key, ...values];
  try {
    await query(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map(() => "''::text").join(', ')}
       WHERE false ON CONFLICT (${key.join(', ')}) DO NOTHING`,
    );
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (!differences.includes(code ?? '')) throw cause;
    throw new TableError(
      `the Postgres table "${table}" wasn't created by worktrack (${message}); use another schema, or rename the table`,
      { cause },
    );
  }
}

/**
 * Postgres's error codes for a missing column, a missing unique key, a wrong column type, and a relation that
 * isn't a table.
 */
const differences = ['42703', '42P10', '42804', '42809'];
