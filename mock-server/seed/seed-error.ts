/** Thrown if seed data is invalid. The message contains the path and the problem. */
export class SeedError extends Error {
  /** The path in the seed data, such as `organizations[0].projects[1].boards[0].tickets[3].assignees[0]`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(path ? `${path}: ${message}` : message);
    this.name = 'SeedError';
    this.path = path;
  }
}
