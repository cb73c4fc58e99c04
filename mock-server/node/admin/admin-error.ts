/** An error response from an admin route. */
export class AdminError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'AdminError';
    this.status = status;
  }
}

/**
 * Returns a value that was looked up.
 *
 * @throws {@link AdminError} with status 404 if there is none
 */
export function requireFound<Value>(value: Value | undefined | false, miss: string, name: string): Value {
  if (value === undefined || value === false) throw new AdminError(404, `${miss} ${JSON.stringify(name)}.`);
  return value;
}
