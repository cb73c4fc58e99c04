import { createMockServer } from 'worktrack/mock-server';

/** Starts a mock server with a project that has two boards. */
export function start() {
  const mock = createMockServer();
  const project = mock.add.project().id;
  const [todo, done] = ['Todo', 'Done'].map((name) => mock.add.board({ project, name }).id) as [
    string,
    string,
  ];
  return { mock, project, todo, done };
}

/** The titles of the tickets that workflows create. */
export const titles = ['Fuel', 'Doors', 'Radio'];
