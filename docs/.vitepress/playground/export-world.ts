import type { Role, Worktrack } from 'worktrack';
import type { DocumentSeed, MockServer, ProjectSeed, World } from 'worktrack/mock-server';

/**
 * Exports the client's organization as seed data for `createMockServer({ world })` or the playground's
 * import. Credentials and users come from the server's state, everything else from the API. Comments and
 * notifications aren't exported.
 */
export async function exportWorld(client: Worktrack, mock: MockServer): Promise<World> {
  const { id, name } = await client.organization.get();
  const isInOrganization = (record: { organization_id: string }) => record.organization_id === id;
  const projects: ProjectSeed[] = [];
  for (const project of await client.projects.list()) projects.push(await exportProject(client, project));
  const documents: DocumentSeed[] = [];
  for await (const document of client.documents.list({ per_page: 200 })) {
    documents.push({
      id: document.id,
      title: document.title,
      project: document.project_id,
      caption: document.caption,
      content_html: document.content_html,
      status: document.status === 'published' ? 'published' : 'draft',
      published_at: document.published_at,
      archived_at: document.archived_at,
      author: document.author_id,
      editors: document.editors.map((editor) => editor.id),
      tags: document.tags.map((tag) => tag.name),
      created_at: document.created_at,
      updated_at: document.updated_at,
    });
  }
  return {
    organizations: [
      {
        id,
        name,
        users: mock.state.users.filter(isInOrganization).map((user) => ({
          id: user.id,
          name: user.name,
          email: user.email,
          role: user.role as Role,
        })),
        credentials: mock.state.credentials
          .filter(isInOrganization)
          .map(({ id: credential, token, name: shown, scopes }) => ({
            id: credential,
            token,
            name: shown,
            scopes: scopes as ['*'],
          })),
        projects,
        documents,
      },
    ],
  };
}

type Project = Awaited<ReturnType<Worktrack['projects']['list']>>[number];

async function exportProject(client: Worktrack, project: Project): Promise<ProjectSeed> {
  const [members, labels, boards, tickets] = await Promise.all([
    client.projects.members.list(project.id),
    client.projects.labels.list(project.id),
    client.boards.list(project.id),
    client.tickets.list(project.id, { per_page: 200 }).toArray({ limit: 10_000 }),
  ]);
  return {
    id: project.id,
    name: project.name,
    key: project.key,
    description: project.description,
    archived_at: project.archived_at,
    members: members.filter(({ role }) => role === 'member').map(({ id }) => id),
    labels: labels.map(({ id, name, color }) => ({ id, name, color })),
    boards: boards.map((board) => ({
      id: board.id,
      name: board.name,
      slug: board.slug,
      color: board.color,
      wip_limit: board.wip_limit,
      is_done: board.is_done,
      is_hidden: board.is_hidden,
      tickets: tickets
        .filter((ticket) => ticket.board_id === board.id)
        .map((ticket) => ({
          id: ticket.id,
          title: ticket.title,
          number: ticket.number,
          description_html: ticket.description_html,
          priority: ticket.priority as 'normal',
          due_at: ticket.due_at,
          started_at: ticket.started_at,
          completed_at: ticket.completed_at,
          archived_at: ticket.archived_at,
          assignees: ticket.assignees.map(({ id }) => id),
          labels: ticket.labels.map(({ id }) => id),
          tags: ticket.tags.map(({ name }) => name),
          created_at: ticket.created_at,
          updated_at: ticket.updated_at,
        })),
    })),
  };
}
