/** A world that cannot be: the message names the place in it and what is wrong there. */
export class SeedError extends Error {
  /** For example `organizations[0].projects[1].boards[0].tickets[3].assignees[0]`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(path ? `${path}: ${message}` : message);
    this.name = 'SeedError';
    this.path = path;
  }
}
