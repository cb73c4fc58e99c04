/** Seed data is invalid. The message names the place in it and the problem. */
export class SeedError extends Error {
  /** For example `organizations[0].projects[1].boards[0].tickets[3].assignees[0]`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(path ? `${path}: ${message}` : message);
    this.name = 'SeedError';
    this.path = path;
  }
}
