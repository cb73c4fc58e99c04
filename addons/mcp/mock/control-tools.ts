import type { FaultError, MockServer, World } from '../../../mock-server/index.js';
import { type OperationId, operationIds } from '../../../src/contract/index.js';
import { counted } from '../../../src/internal.js';
import { ToolInputError } from '../results/reply.js';
import { quote, readChoice, readNumber, readString } from '../tools/arguments.js';
import { type Arguments, type InputSchema, type JsonSchema, type Tool, toolNameOf } from '../tools/tool.js';
import { sampleWorld } from './sample-world.js';

/** Tools that let agent developers control the mock server. They are available only if `mockTools` is set. */
export const controlTools = (mock: MockServer): Tool[] => [
  {
    ...control('mock_seed', 'Mock server: replace all data with seed data. The default is a sample team.', {
      world: { type: 'object' },
    }),
    run: async ({ world }) => {
      // Without an organization, later calls would have no credential.
      if ((world as Partial<World> | undefined)?.organizations?.length === 0) {
        throw new ToolInputError('world must have at least one organization');
      }
      attempt(() => mock.load((world as World | undefined) ?? sampleWorld));
      return { heading: `mock_seed: done. ${counts(mock)}` };
    },
  },
  {
    ...control('mock_reset', 'Mock server: restore the seed data and clear faults.'),
    run: async () => {
      mock.reset();
      return { heading: `mock_reset: done. ${counts(mock)}` };
    },
  },
  {
    ...control(
      'mock_fault',
      'Mock server: make the next requests fail or take longer. To affect only one tool, set tool. times is the number of requests.',
      {
        tool: { type: 'string' },
        status: { type: 'integer', minimum: 400, maximum: 599 },
        error: { enum: faultErrors },
        latency_ms: { type: 'integer', minimum: 0, maximum: 60_000 },
        retry_after: { type: 'integer', minimum: 0, maximum: 3600 },
        times: { type: 'integer', minimum: 1, maximum: 1000, default: 1 },
      },
    ),
    run: async (args) => {
      attempt(() => mock.faults.add(faultOf(args)));
      return {
        heading: `mock_fault: done. Active faults: ${mock.faults.list().length}. mock_reset clears them.`,
      };
    },
  },
  {
    ...control(
      'mock_clock',
      'Mock server: change the clock. Pass either advance_seconds or set (an RFC 3339 date-time).',
      {
        advance_seconds: { type: 'integer' },
        set: { type: 'string', format: 'date-time' },
      },
    ),
    run: async (args) => {
      if ((args.advance_seconds === undefined) === (args.set === undefined)) {
        throw new ToolInputError('pass either advance_seconds or set');
      }
      attempt(() =>
        args.set === undefined
          ? mock.clock.advance((readNumber(args, 'advance_seconds', -maxSeconds, maxSeconds) ?? 0) * 1000)
          : mock.clock.set(readString(args, 'set')),
      );
      return { heading: `mock_clock: the time is now ${mock.clock.now().toISOString()}.` };
    },
  },
];

const faultErrors: FaultError[] = ['connection', 'response_lost', 'truncated', 'malformed'];

/** The maximum time to advance the clock: one hundred years, in seconds. */
const maxSeconds = 100 * 366 * 24 * 60 * 60;

function control(
  name: string,
  description: string,
  properties: Record<string, JsonSchema> = {},
): Omit<Tool, 'run'> {
  const inputSchema: InputSchema = { type: 'object', properties, additionalProperties: false };
  return {
    name,
    description,
    inputSchema,
    annotations: { destructiveHint: name === 'mock_seed' || name === 'mock_reset' },
    operations: [],
  };
}

/** Reports the mock server's errors to the model, because they describe invalid input. */
function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    throw error instanceof ToolInputError ? error : new ToolInputError((error as Error).message);
  }
}

function faultOf(args: Arguments) {
  const { status, error, latency_ms, retry_after } = args;
  if ([status, error, latency_ms].every((effect) => effect === undefined)) {
    throw new ToolInputError('pass status, error, or latency_ms');
  }
  if (retry_after !== undefined && status === undefined) {
    throw new ToolInputError('retry_after requires status');
  }
  return {
    operation: args.tool === undefined ? undefined : operationOfTool(readString(args, 'tool')),
    status: readNumber(args, 'status', 400, 599),
    error: readChoice(args, 'error', faultErrors) as FaultError | undefined,
    latency: readNumber(args, 'latency_ms', 0, 60_000),
    retryAfter: readNumber(args, 'retry_after', 0, 3600),
    times: readNumber(args, 'times', 1, 1000) ?? 1,
  };
}

function operationOfTool(tool: string): OperationId {
  const id = operationIds.find((operation) => toolNameOf(operation) === tool || operation === tool);
  if (!id)
    throw new ToolInputError(
      `tool must be the name of a tool for an API operation, such as tickets_move (got ${quote(tool)})`,
    );
  return id;
}

function counts({ state }: MockServer): string {
  const { projects, boards, tickets, documents } = state;
  const parts = [
    counted(projects.all().length, 'project'),
    counted(boards.all().length, 'board'),
    counted(tickets.all().length, 'ticket'),
    counted(documents.all().length, 'document'),
  ];
  return `${parts.join(', ')}.`;
}
