import { createMockServer } from 'worktrack/mock-server';
import { connect } from '../../support/clients.js';

/** A project with the boards "Todo" and "Done", and the tickets "First", "Second", and "Third" on the first board. */
export function startProject() {
  const mock = createMockServer();
  const project = mock.add.project();
  const todo = mock.add.board({ project: project.id, name: 'Todo' });
  const done = mock.add.board({ project: project.id, name: 'Done' });
  const addTicket = (title: string) => mock.add.ticket({ board: todo.id, title });
  const [first, second, third] = [addTicket('First'), addTicket('Second'), addTicket('Third')];
  const client = connect(mock, { retry: 0 });
  return { mock, client, project, todo, done, first, second, third };
}
