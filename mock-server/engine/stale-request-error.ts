/**
 * Thrown if the server is reset, restored, or loaded with different seed data while a request is in flight.
 */
export class StaleRequestError extends Error {
  constructor() {
    super(
      'The mock server was reset or restored while this request was in flight. The request had no effect.',
    );
    this.name = 'StaleRequestError';
  }
}
