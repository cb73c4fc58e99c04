import { type ActionFunctionArgs, type RouteObject, redirect, useLoaderData } from 'react-router';
import { client } from './client.js';

/** A page with a project's tickets and a form to create one, and a page that doesn't call the API. */
export const routes: RouteObject[] = [
  { path: '/', loader: listTickets, action: createTicket, Component: Page },
  { path: '/health', Component: () => 'ok' },
];

const project = 'prj_apollo';

async function listTickets() {
  const { data } = await client.tickets.list(project);
  return data.map(({ id, title }) => ({ id, title }));
}

async function createTicket({ request }: ActionFunctionArgs) {
  const title = String((await request.formData()).get('title'));
  await client.tickets.create(project, { board_slug: 'to-do', title });
  return redirect('/');
}

function Page() {
  const tickets = useLoaderData<typeof listTickets>();
  return (
    <main>
      <ul>
        {tickets.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <form method="post">
        <label>
          Title <input name="title" required />
        </label>
        <button type="submit">Create ticket</button>
      </form>
    </main>
  );
}
