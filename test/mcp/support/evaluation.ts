import { getEncoding } from 'js-tiktoken';
import { callTool, connect } from './connect.js';
import { tasks } from './evaluation-tasks.js';

export interface TaskCost {
  task: string;
  calls: number;
  /** The number of tokens in all results. */
  tokens: number;
  errors: number;
}

/**
 * Runs each task on new seed data. There is no model, so the numbers are the same on every run.
 *
 * @throws Error if a result doesn't contain what the task needs
 */
export async function evaluate(connectTo = connect): Promise<TaskCost[]> {
  const encoding = getEncoding('o200k_base');
  const costs: TaskCost[] = [];
  for (const [task, steps] of Object.entries(tasks)) {
    const { client } = await connectTo({ write: true });
    const cost = { task, calls: 0, tokens: 0, errors: 0 };
    for (const [tool, args, shows] of steps) {
      const { text, isError } = await callTool(client, tool, args);
      if (!text.includes(shows)) throw new Error(`${task}: ${tool} should return ${shows}, not ${text}`);
      cost.calls += 1;
      // Replace the random tag names so that the number of tokens is always the same.
      cost.tokens += encoding.encode(text.replace(/untrusted-\w{12}/g, 'untrusted-0123456789ab')).length;
      cost.errors += isError ? 1 : 0;
    }
    costs.push(cost);
  }
  return costs;
}
