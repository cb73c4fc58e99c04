/** A sentence of the specification that states a rule, a limit, a status or a scope, in our own words. */
export interface Statement {
  /** Section and place, for example `S-3.2`; stays when wording changes. */
  id: string;
  says: string;
  /** Tests that show it: the file below `test/`, then titles exactly as the file has them. */
  shownBy: readonly (readonly [file: string, ...titles: string[]])[];
}
