/** A cell that can't be used; like an error of the API, it names the field. */
export class RowProblem extends Error {
  readonly fieldErrors: Record<string, string[]>;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.fieldErrors = { [field]: [problem] };
  }
}
