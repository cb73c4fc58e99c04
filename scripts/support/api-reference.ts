import { join } from 'node:path';
import { Application, Converter, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';

/** The entry points by the name of their page, and what TypeDoc calls them after their paths. */
const entries = [
  { page: 'worktrack', path: 'src/index.ts', module: 'src' },
  { page: 'mock-server', path: 'mock-server/index.ts', module: 'mock-server' },
  { page: 'contract', path: 'src/contract/index.ts', module: 'src/contract' },
];

/** Writes one Markdown page for each entry point of the package, from its types and their comments. */
export async function writeApiReference(root: string, out: string): Promise<void> {
  const options: TypeDocOptions & PluginOptions = {
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: join(root, 'tsconfig.json'),
    entryPoints: entries.map(({ path }) => join(root, path)),
    out,
    outputFileStrategy: 'modules',
    entryFileName: 'index.md',
    readme: 'none',
    githubPages: false,
    disableSources: true,
    useHTMLAnchors: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
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
      module.name = entries.find((entry) => entry.module === module.name)?.page ?? module.name;
    }
  });
  const project = await app.convert();
  if (!project || app.logger.hasErrors())
    throw new Error('docs: TypeDoc could not read the types (see above)');
  await app.generateOutputs(project);
}
