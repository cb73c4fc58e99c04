import {
  scopes as allScopes,
  type OperationId,
  operationOf,
  type Scope,
} from '../../../src/contract/index.js';
import { didYouMean } from '../../../src/internal.js';
import type { Tool } from './tool.js';

/** Options that select the tools a server offers. */
export interface ToolSelection {
  /** Whether to offer tools that change data. @defaultValue false */
  write?: boolean | undefined;
  /**
   * The scopes that tools are allowed to require. Tools that require other scopes aren't offered.
   * @defaultValue all scopes
   */
  scopes?: readonly Scope[] | undefined;
  /**
   * The tools to offer. `tickets_*` matches every tool with the `tickets_` prefix. @defaultValue all tools
   */
  tools?: readonly string[] | undefined;
}

/**
 * Selects the tools that a session can use.
 *
 * @throws TypeError if a scope or tool is unknown, if `write` or `scopes` excludes a tool in `tools`, or if
 * no tools are left
 */
export function selectTools(all: readonly Tool[], { write = false, scopes, tools }: ToolSelection): Selected {
  for (const scope of scopes ?? []) {
    if (!allScopes.includes(scope)) {
      throw new TypeError(`scopes: unknown scope "${scope}"; ${didYouMean(scope, allScopes)}`);
    }
  }
  const whyUnavailable = (tool: Tool) => unavailableReason(tool, write, scopes);
  const named = tools && new Set(tools.flatMap((pattern) => matching(pattern, all, whyUnavailable)));
  const selected = all.filter((tool) => !whyUnavailable(tool) && (!named || named.has(tool)));
  if (selected.length === 0)
    throw new TypeError('no tools are left; check the write, scopes, and tools options');
  // These reasons don't say how to get more access, because the model reads them.
  const reasonOf = (tool: Tool) =>
    !write && tool.operations.some(isWrite)
      ? 'it changes data, and this server is read-only'
      : 'this server was started without it';
  const others = all.filter((tool) => !selected.includes(tool));
  return { tools: selected, unavailable: new Map(others.map((tool) => [tool.name, reasonOf(tool)])) };
}

/** The tools that a server offers, and the reasons it doesn't offer the others. */
interface Selected {
  tools: Tool[];
  unavailable: ReadonlyMap<string, string>;
}

/** Returns the reason a tool isn't offered, or undefined if it is. */
function unavailableReason(
  { operations }: Tool,
  write: boolean,
  scopes?: readonly Scope[],
): string | undefined {
  if (!write && operations.some(isWrite)) return 'it changes data, which requires write (--write)';
  const missing = operations.map(scopeOf).find((scope) => scopes && !scopes.includes(scope));
  return missing && `it requires the ${missing} scope, which the scopes option (--scopes) doesn't include`;
}

const isWrite = (id: OperationId) => operationOf(id).method !== 'GET';
const scopeOf = (id: OperationId) => operationOf(id).scope;

function matching(
  pattern: string,
  all: readonly Tool[],
  whyUnavailable: (tool: Tool) => string | undefined,
): Tool[] {
  if (pattern.endsWith('*')) {
    const found = all.filter(({ name }) => name.startsWith(pattern.slice(0, -1)));
    if (found.length === 0) throw new TypeError(`tools: no tool matches "${pattern}"`);
    return found;
  }
  const tool = all.find(({ name }) => name === pattern);
  const names = all.map(({ name }) => name);
  if (!tool) throw new TypeError(`tools: unknown tool "${pattern}"; ${didYouMean(pattern, names)}`);
  const reason = whyUnavailable(tool);
  if (reason) throw new TypeError(`tools: "${pattern}" isn't available: ${reason}`);
  return [tool];
}
