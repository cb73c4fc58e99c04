/** Thrown if a cell is invalid. Like an API error, it has `fieldErrors`. */
export class RowProblem extends Error {
  readonly fieldErrors: Record<string, string[]>;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.fieldErrors = { [field]: [problem] };
  }
}
