import type { Project } from '../../src/index.js';
import { ToolInputError } from '../results/reply.js';
import { quote } from '../tools/arguments.js';
import type { ToolCall } from '../tools/tool.js';

/**
 * Finds a project by ID, key, or name.
 *
 * @throws ToolInputError if no project matches, or if several do
 */
export async function findProject(idOrName: string, { client, signal }: ToolCall): Promise<Project> {
  const projects = await client.projects.list({ signal });
  const sameText = (text: string) => text.toLowerCase() === idOrName.toLowerCase();
  const byId = projects.find(({ id }) => id === idOrName);
  const [first, ...others] = byId
    ? [byId]
    : ([projects.filter(({ key }) => sameText(key)), projects.filter(({ name }) => sameText(name))].find(
        ({ length }) => length > 0,
      ) ?? []);
  if (!first) {
    throw new ToolInputError(`no project has the ID, key, or name ${quote(idOrName)}; see projects_list`);
  }
  if (others.length > 0) {
    throw new ToolInputError(
      `${others.length + 1} projects match ${quote(idOrName)}; pass the ID from projects_list`,
    );
  }
  return first;
}
