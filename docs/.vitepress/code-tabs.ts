import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];
type State = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0];

/**
 * Shows commands that install packages with a tab per package manager, and code that starts with a comment such as
 * `// file: board.mjs` under the file's name. In Markdown, both remain ordinary code blocks.
 */
export function addCodeTabs(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('worktrack:code-tabs', (state) => {
    let isGrouped = false;
    state.tokens = state.tokens.flatMap((token) => {
      if (token.type === 'container_code-group_open') isGrouped = true;
      if (token.type === 'container_code-group_close') isGrouped = false;
      const tabs = isGrouped || token.type !== 'fence' ? undefined : tabsOf(token);
      return tabs ? groupOf(state, token, tabs) : [token];
    });
  });
}

/** A tab's label and content. */
type Tab = readonly [label: string, content: string];

function tabsOf({ info, content }: Token): Tab[] | undefined {
  if (/^(sh|bash)\b/.test(info) && installs.test(content)) {
    return Object.entries(packageManagers).map(([name, translate]) => [
      name,
      content.replace(lines, translate),
    ]);
  }
  const [comment = '', file] = /^(?:\/\/|#) file: (\S+)\n\n?/.exec(content) ?? [];
  return file ? [[file, content.slice(comment.length)]] : undefined;
}

/** Matches blocks in which every line installs packages or runs a package's command. */
const installs = /^npm install .*\n(?:(?:npm install|npx) .*\n)*$/;
const lines = /^(npm install|npx) (--save-dev )?(.*)$/gm;

type Translate = (line: string, command: string, dev: string | undefined, rest: string) => string;

const translation =
  (install: string, run: string): Translate =>
  (_, command, dev, rest) =>
    command === 'npx' ? `${run} ${rest}` : `${install} ${dev ? '-D ' : ''}${rest}`;

const packageManagers: Record<string, Translate> = {
  npm: (line) => line,
  pnpm: translation('pnpm add', 'pnpm exec'),
  yarn: translation('yarn add', 'yarn'),
  bun: translation('bun add', 'bunx'),
};

function groupOf(state: State, fence: Token, tabs: Tab[]): Token[] {
  const open = new state.Token('container_code-group_open', 'div', 1);
  const close = new state.Token('container_code-group_close', 'div', -1);
  open.info = ' code-group';
  const fences = tabs.map(([label, content]) => {
    const tab = new state.Token('fence', 'code', 0);
    return Object.assign(
      tab,
      { markup: fence.markup, map: fence.map, block: true },
      {
        info: `${fence.info} [${label}]`,
        content,
      },
    );
  });
  return [open, ...fences, close];
}
