/**
 * A `TypeError` about a value that the caller passed. Admin routes return it as 422. Any other `TypeError` is a
 * bug in the server, and they return it as 500.
 */
export class InvalidInputError extends TypeError {}
