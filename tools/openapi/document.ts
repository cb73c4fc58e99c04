import { type OperationId, operationIds, operationOf } from 'worktrack/contract';
import { recordOperation } from '../../docs/.vitepress/content/operation-record.js';
import type { Exchange } from '../../docs/.vitepress/live/exchange.js';
import { type ErrorExamples, ruleErrorExamples, sharedErrorExamples } from './error-examples.js';
import { exampleBaseUrl, exampleIds, exampleServer } from './examples.js';
import { errorResponses, errorSchemas, failureResponses } from './failures.js';
import type { JsonSchema } from './schemas.js';
import { componentSchemas, pageSchema, queryFields, schemaReference } from './schemas.js';

/**
 * Builds the API's OpenAPI 3.1 document from the contract, with example responses from the mock server.
 */
export async function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Work-Tracking External API',
      version: '1.0.0',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}/api/v1',
        description: 'A deployment of the API',
        variables: { base_url: { default: exampleBaseUrl, description: "The deployment's URL" } },
      },
    ],
    security: [{ credential: [] }],
    tags: tags.map(([name, about]) => ({ name, description: about })),
    paths: await paths(),
    components: {
      securitySchemes: { credential: { type: 'http', scheme: 'bearer', description: credential } },
      parameters: pathParameters(),
      schemas: { ...componentSchemas(), ...pageSchema, ...errorSchemas },
      responses: errorResponses(await sharedErrorExamples()),
    },
  };
}

const description =
  `An organization's projects, boards with WIP limits, tickets, documents, comments, notifications, and
analytics. Every operation requires a credential with a specific scope. A credential belongs to one organization.
Records are soft-deleted. The API's specification leaves some details open, such as the credential header, the response
envelope, the page parameter, and the error body. This document describes them as this package's mock server implements
them.`.replaceAll('\n', ' ');

const credential =
  "An API credential's token. Each operation's security requirement lists the scope it needs.";

const tags = [
  ['organization', 'The organization the credential belongs to'],
  ['projects', 'Projects with their members, labels, tags, and analytics'],
  ['boards', 'Ordered columns of tickets, with an optional WIP limit'],
  ['tickets', 'Tickets and their comments'],
  ['documents', 'Documents and their comments'],
  ['notifications', 'Notifications to users in the organization'],
] as const;

async function paths() {
  const result: Record<string, Record<string, unknown>> = {};
  for (const id of operationIds) {
    const { path, method } = operationOf(id);
    const example = await recordOperation(id, exampleServer());
    const operation = operationObject(id, example, await ruleErrorExamples(id));
    result[path] = { ...result[path], [method.toLowerCase()]: operation };
  }
  return result;
}

function operationObject(id: OperationId, example: Exchange, errorExamples: ErrorExamples) {
  const operation = operationOf(id);
  const { number, summary, scope, status, parameters, query, body } = operation;
  return {
    operationId: id,
    summary,
    description: `Operation ${number} of the specification. Requires the \`${scope}\` scope.`,
    tags: [id.split('.')[0]],
    security: [{ credential: [scope] }],
    parameters: [
      ...parameters.map((name) => ({ $ref: `#/components/parameters/${name as string}` })),
      ...queryParameters(query, example),
    ],
    ...(body && {
      requestBody: {
        // The API treats an empty body as an empty object.
        required: !body.safeParse({}).success,
        content: {
          'application/json': { schema: schemaReference(body), example: parsed(example.requestBody) },
        },
      },
    }),
    responses: { [status]: success(id, example), ...failureResponses(operation, errorExamples) },
  };
}

const parsed = (json: string): unknown => (json ? JSON.parse(json) : undefined);

function queryParameters(query: ReturnType<typeof operationOf>['query'], { target }: Exchange) {
  const example = new URLSearchParams(target.split('?')[1]);
  return Object.entries(query ? queryFields(query) : {}).map(([name, { description: about, ...schema }]) => {
    const text = example.get(name);
    return {
      name,
      in: 'query',
      ...(about ? { description: about } : {}),
      schema,
      ...(text !== null && { example: schema.type === 'integer' ? Number(text) : text }),
    };
  });
}

function success(id: OperationId, { responseBody }: Exchange) {
  const { response, paginated, method, status } = operationOf(id);
  if (!response) return { description: method === 'DELETE' ? 'Deleted' : 'Done' };
  const data = schemaReference(response);
  const schema: JsonSchema = {
    type: 'object',
    required: ['data'],
    properties: { data: paginated ? pageOf(data) : data },
  };
  return {
    description: status === 201 ? 'Created' : 'The result',
    content: { 'application/json': { schema, example: parsed(responseBody) } },
  };
}

const pageOf = (data: JsonSchema): JsonSchema => ({
  allOf: [{ $ref: '#/components/schemas/Page' }, { type: 'object', properties: { data } }],
});

function pathParameters() {
  const names = new Set(operationIds.flatMap((id) => operationOf(id).parameters as readonly string[]));
  return Object.fromEntries(
    [...names].sort().map((name) => [
      name,
      {
        name,
        in: 'path',
        required: true,
        description: `ID of the ${name}`,
        example: exampleIds[name],
        schema: { type: 'string', minLength: 1 },
      },
    ]),
  );
}
