// Uses two credentials with different scopes.

import { PermissionDeniedError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const mock = createMockServer({
  world: {
    organizations: [
      {
        id: 'org_acme',
        name: 'Acme',
        credentials: [
          { token: 'wt_reader', name: 'Dashboard', scopes: ['projects:read'] },
          { token: 'wt_writer', name: 'Importer', scopes: ['projects:read', 'projects:write'] },
        ],
      },
    ],
  },
});
const connection = { ...mock.clientOptions(), organization: 'org_acme', fetch: mock.fetch };
const reader = new Worktrack({ ...connection, token: 'wt_reader' });
const writer = new Worktrack({ ...connection, token: 'wt_writer' });

const project = await writer.projects.create({ name: 'Apollo', key: 'APO' });
console.log(
  `The importer created ${project.name}. The dashboard can read ${(await reader.projects.list()).length} project.`,
);

try {
  await reader.projects.update(project.id, { name: 'Artemis' });
} catch (error) {
  if (!(error instanceof PermissionDeniedError)) throw error;
  console.log(`The dashboard can't rename it: ${error.code}. ${error.message}`);
}
