/** The simulated API deployment's settings, taken from the seed data. */
export interface Settings {
  /** The boards that `projects.create` adds to a new project. */
  readonly defaultBoards: readonly BoardTemplate[];
  readonly slugStyle: SlugStyle;
  /**
   * The name or slug of the board for tickets created without a board. If null, requests without a board are
   * rejected.
   */
  readonly defaultBoard: string | null;
}

/** A board to add to new projects. */
export interface BoardTemplate {
  readonly name: string;
  readonly slug?: string | undefined;
  readonly color?: string | null | undefined;
  readonly wip_limit?: number | null | undefined;
  readonly is_done?: boolean | undefined;
  readonly is_hidden?: boolean | undefined;
}

/** How to join the words in a board's slug: `in-progress` or `in_progress`. */
export type SlugStyle = 'kebab-case' | 'snake_case';

export const defaultSettings: Settings = { defaultBoards: [], slugStyle: 'kebab-case', defaultBoard: null };
