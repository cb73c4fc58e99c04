import type { TestProject } from 'vitest/node';
import { consumers } from '../../../scripts/consumers/list.js';
import { installPackage } from '../../../scripts/measure/install-package.js';

/** Installs the packed package once for all tests. Each test uses its own subfolder. */
export default function pack(project: TestProject): () => void {
  const { home, tarball, files, remove } = installPackage(
    'typescript',
    '@types/node',
    '@opentelemetry/api',
    'bullmq',
    ...consumers.flatMap(({ tools }) => tools),
  );
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
