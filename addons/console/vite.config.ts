import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';
import { licenseTextsOf, packageFolder } from '../../tools/build/licenses.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Builds the console as static files that the mock server serves under `/__admin/`. */
export default defineConfig({
  root: path('app'),
  // Use relative URLs, because a proxy can serve the console under a different path.
  base: './',
  plugins: [vue(), licenses()],
  resolve: {
    alias: [
      { find: /^worktrack$/, replacement: path('../../src/index.ts') },
      { find: /^worktrack\/contract$/, replacement: path('../../src/contract/index.ts') },
    ],
  },
  // All components use the Composition API.
  define: { __VUE_OPTIONS_API__: 'false' },
  build: {
    outDir: path('../../dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    // Don't inline anything, because the content security policy forbids inline code, styles, and images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

/** Writes the licenses of the bundled packages. */
function licenses(): Plugin {
  return {
    name: 'worktrack:licenses',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
      this.emitFile({
        type: 'asset',
        fileName: 'licenses.txt',
        source: licenseTextsOf(folders).join('\n\n\n'),
      });
    },
  };
}
