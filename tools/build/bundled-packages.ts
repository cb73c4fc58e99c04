import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * Creates an esbuild plugin for the code of bundled packages. It minifies that code, because only our own code
 * has to stay readable. Functions at the top level of a module keep their names for stack traces.
 *
 * ES modules have no `require`, so the plugin imports the built-in modules that CommonJS packages require.
 */
export function bundledPackagesPlugin(): Plugin {
  return {
    name: 'bundled-packages',
    setup({ esbuild, onLoad, onResolve }) {
      onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
        const { code } = await esbuild.transform(await readFile(path, 'utf8'), {
          minify: true,
          target: 'es2022',
        });
        return { contents: code };
      });
      const builtin = new RegExp(`^(node:)?(${builtinModules.join('|')})$`);
      onResolve({ filter: builtin }, ({ kind, path }) =>
        kind === 'require-call' ? { path: path.replace(/^node:/, ''), namespace: 'builtin' } : undefined,
      );
      onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
        contents: `export { default as 'module.exports' } from 'node:${path}';`,
      }));
    },
  };
}
