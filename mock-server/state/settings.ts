/** How the deployment that the server stands for differs from the defaults. Part of the seed data. */
export interface Settings {
  /** Boards that `projects.create` puts into a new project. */
  readonly defaultBoards: readonly BoardTemplate[];
  readonly slugStyle: SlugStyle;
  /** Name or slug of the board that gets tickets created without a board; null rejects them. */
  readonly defaultBoard: string | null;
}

/** A board as a new project gets it. */
export interface BoardTemplate {
  readonly name: string;
  readonly slug?: string | undefined;
  readonly color?: string | null | undefined;
  readonly wip_limit?: number | null | undefined;
  readonly is_done?: boolean | undefined;
  readonly is_hidden?: boolean | undefined;
}

/** How the words of a board's slug are joined: `in-progress` or `in_progress`. */
export type SlugStyle = 'kebab-case' | 'snake_case';

export const defaultSettings: Settings = { defaultBoards: [], slugStyle: 'kebab-case', defaultBoard: null };
