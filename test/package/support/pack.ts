import type { TestProject } from 'vitest/node';
import { installPackage } from '../../../tools/support/packages.js';

/** Packages that the tests' projects use. */
const tools = [
  '@jest/globals',
  '@opentelemetry/api',
  '@types/node',
  'bullmq',
  'esbuild',
  'expect',
  'jest',
  'msw',
  'typescript',
  'vite',
  'vitest',
];

/** Installs the packed package once for all tests. Each test uses its own subfolder. */
export default function pack(project: TestProject): () => void {
  const { home, tarball, files, remove } = installPackage(...tools);
  project.provide('home', home);
  project.provide('tarball', tarball);
  project.provide('packedFiles', files);
  return remove;
}

declare module 'vitest' {
  interface ProvidedContext {
    home: string;
    tarball: string;
    packedFiles: { path: string; size: number }[];
  }
}
