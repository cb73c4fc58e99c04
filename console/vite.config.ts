import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';
import { licenseTextsOf, packageFolder } from '../scripts/build/licenses.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Builds the console into static files that the mock server serves below `/__admin/`. */
export default defineConfig({
  root: path('app'),
  // Relative URLs, because a proxy can put the server below another path.
  base: './',
  plugins: [vue(), licenses()],
  resolve: {
    alias: [
      { find: /^worktrack$/, replacement: path('../src/index.ts') },
      { find: /^worktrack\/contract$/, replacement: path('../src/contract/index.ts') },
    ],
  },
  build: {
    outDir: path('../dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    // Every file has a URL, because the page's policy allows no inline code, styles or images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

/** Writes the licenses of the packages that the console contains. */
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
