import { join } from 'node:path';
import {
  Application,
  Converter,
  PageEvent,
  ReflectionKind,
  type SomeType,
  type TypeDocOptions,
} from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { apiPage, entries, root } from '../entries.js';

/** The entry points with their page names, source files, and TypeDoc module names. */
const pages = [...entries].map(([name, path]) => ({
  name,
  page: apiPage(name),
  path,
  module: path.replace(/(\/index)?\.ts$/, ''),
}));

/**
 * Generates Markdown pages from the package's types and TSDoc. Each entry point, class, and interface has its
 * own page, because a single page would be too long.
 */
export async function writeApiReference(out: string): Promise<void> {
  const options: TypeDocOptions & PluginOptions = {
    plugin: ['typedoc-plugin-markdown'],
    // This tsconfig includes only the folders of the entry points, because TypeDoc compiles everything that
    // is included.
    tsconfig: join(root, 'docs/tsconfig.reference.json'),
    entryPoints: pages.map(({ path }) => join(root, path)),
    out,
    outputFileStrategy: 'members',
    membersWithOwnFile: ['Class', 'Interface'],
    indexFormat: 'table',
    entryFileName: 'index.md',
    readme: 'none',
    githubPages: false,
    disableSources: true,
    useHTMLAnchors: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    pageTitleTemplates: { module: ({ name }) => pages.find(({ page }) => page === name)?.name ?? name },
    sort: ['source-order'],
    groupOrder: ['Classes', 'Functions', 'Interfaces', 'Type Aliases', '*'],
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    classPropertiesFormat: 'table',
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    enumMembersFormat: 'table',
    logLevel: 'Error',
    skipErrorChecking: true,
  };
  const app = await Application.bootstrapWithPlugins(options);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      module.name = pages.find((entry) => entry.module === module.name)?.page ?? module.name;
    }
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
      if (parameter.name === '__namedParameters' && parameter.isParameter())
        parameter.name = nameOf(parameter.type);
    }
  });
  app.renderer.on(PageEvent.END, (written) => {
    const [folder, kind] = written.url.split('/');
    const entry = kind !== 'index.md' && pages.find(({ page }) => page === folder);
    if (entry) written.contents = belowTitle(written.contents, `From [\`${entry.name}\`](../index.md).`);
  });
  const project = await app.convert();
  if (!project || app.logger.hasErrors())
    throw new Error('docs: TypeDoc failed to read the types (see above)');
  await app.generateOutputs(project);
}

const belowTitle = (page = '', line: string) => page.replace(/^# .*$/m, (title) => `${title}\n\n${line}`);

/** Names a destructured parameter after its type: `BulkOptions` becomes `options`. */
function nameOf(type: SomeType | undefined): string {
  const [, word = 'fields'] = /([A-Z][a-z]+)$/.exec(type?.type === 'reference' ? type.name : '') ?? [];
  return word === 'Pick' ? 'fields' : word.toLowerCase();
}
