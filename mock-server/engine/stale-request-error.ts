/** A request was in flight while the server was reset, restored, or loaded with other seed data. */
export class StaleRequestError extends Error {
  constructor() {
    super(
      'The mock server was reset or restored while this request was in flight. The request changed nothing.',
    );
    this.name = 'StaleRequestError';
  }
}
