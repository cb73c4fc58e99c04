import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { UserConfig } from 'vitepress';
import { root } from '../../tools/entries.js';
import { copiedFiles } from '../../tools/support/copied-parts.js';
import { guideBlocks, guidePages, moduleOf } from '../../tools/support/guide-blocks.js';

type Transformer = NonNullable<NonNullable<UserConfig['markdown']>['codeTransformers']>[number];

/** A code block and the module used to type-check it. */
interface Block {
  file: string;
  source: string;
  /** The position in `source` at which the block's code starts. */
  start: number;
  code: string;
}

/** An identifier in a code block and the text that editors show on hover. */
interface Hover {
  start: number;
  end: number;
  type: string;
  description: string;
}

/**
 * Shows the types of identifiers in the TypeScript code blocks of `pages`, the way an editor does. Other code
 * is highlighted without types.
 */
export function typeHovers(pages: readonly string[] = guidePages()): Transformer {
  let hoversOf: ((code: string) => Hover[]) | undefined;
  return {
    name: 'worktrack:type-hovers',
    preprocess(code, options) {
      if (options.lang !== 'ts') return;
      hoversOf ??= createHoverLookup(pages.flatMap(blocksOf));
      options.decorations = hoversOf(code).map(({ start, end, type, description }, index) => ({
        start,
        end,
        alwaysWrap: true,
        // Only a block's first identifier is in the tab order. Users reach the others with the arrow keys.
        properties: { class: 'typed', tabindex: index === 0 ? 0 : -1 },
        transform: (name) => {
          // Replace the array instead of modifying it, because Shiki still needs the original.
          name.children = [...name.children, popup(type, description)];
        },
      }));
    },
  };
}

function blocksOf(page: string): Block[] {
  return [
    ...guideBlocks(page).map((block) => ({
      ...moduleOf(block),
      start: block.prelude.length,
      code: block.code.trimEnd(),
    })),
    ...copiedFiles(page).map((file) => {
      const source = readFileSync(file, 'utf8');
      return { file, source, start: 0, code: source.trimEnd() };
    }),
  ];
}

/** Type-checks all blocks as one program, which is much faster than one program per block. */
function createHoverLookup(blocks: readonly Block[]): (code: string) => Hover[] {
  const byCode = new Map(blocks.map((block) => [block.code, block]));
  const service = createLanguageService(new Map(blocks.map(({ file, source }) => [file, source])));
  return (code) => {
    const block = byCode.get(code);
    return block ? hoversIn(block, service) : [];
  };
}

function hoversIn({ file, start, code }: Block, service: ts.LanguageService): Hover[] {
  const program = service.getProgram();
  const source = program?.getSourceFile(file);
  if (!program || !source) return [];
  const checker = program.getTypeChecker();
  const hovers: Hover[] = [];
  const visit = (node: ts.Node): void => {
    if (node.end <= start) return;
    if (ts.isIdentifier(node) && isOurs(checker.getSymbolAtLocation(node))) {
      const info = service.getQuickInfoAtPosition(file, node.getStart(source));
      if (info)
        hovers.push({ ...describe(info), start: node.getStart(source) - start, end: node.end - start });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return hovers.filter(({ end }) => end <= code.length);
}

/** Returns whether the symbol is declared in the block or in this package. */
const isOurs = (symbol: ts.Symbol | undefined): boolean =>
  symbol?.declarations?.some(
    (declaration) => !/\/node_modules\//.test(declaration.getSourceFile().fileName),
  ) ?? false;

const describe = ({ displayParts, documentation }: ts.QuickInfo) => ({
  type: ts
    .displayPartsToString(displayParts)
    .replace(/^\(alias\) /, '')
    .replace(/\nimport [\w$]+$/, ''),
  description: ts
    .displayPartsToString(documentation)
    .split('\n\n', 1)
    .join('')
    .replaceAll('\n', ' ')
    .replaceAll('`', ''),
});

function createLanguageService(sources: ReadonlyMap<string, string>): ts.LanguageService {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const readFile = (file: string) => sources.get(file) ?? ts.sys.readFile(file);
  const fileExists = (file: string) => sources.has(file) || ts.sys.fileExists(file);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...sources.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const source = readFile(file);
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    readFile,
    fileExists,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (file) => ts.sys.realpath?.(file) ?? file,
  });
}

/** Creates the element that shows a type. Copied code and printed pages don't include this element. */
const popup = (type: string, description: string) =>
  span('type-popup vp-copy-ignore', [
    span('type', [text(type)]),
    ...(description ? [span('type-description', [text(description)])] : []),
  ]);

const span = <Child>(className: string, children: Child[]) => ({
  type: 'element' as const,
  tagName: 'span',
  properties: { class: className },
  children,
});

const text = (value: string) => ({ type: 'text' as const, value });
