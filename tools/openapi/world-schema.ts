import * as z from 'zod/mini';
import { seedSchemas } from '../../mock-server/seed/schema.js';
import { fieldsOf } from '../support/interfaces.js';
import type { JsonSchema } from './schemas.js';

/** Returns the JSON Schema of seed data files, with the TSDoc of the interfaces as descriptions. */
export function worldSchema(): JsonSchema {
  const schema = z.toJSONSchema(seedSchemas.world, {
    // Editors support this version best.
    target: 'draft-7',
    io: 'input',
    // JSON Schema can't express some checks, such as those for dates and tokens.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Omit the limits that apply to every integer in JavaScript.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  }) as JsonSchema;
  return { ...described(schema, 'World'), title: 'Seed data for the worktrack mock server' };
}

/** Adds descriptions to the schema of an interface and of the interfaces that its fields contain. */
function described(schema: JsonSchema, name: string): JsonSchema {
  const fields = new Map(fieldsOf(name).map((field) => [field.name, field]));
  const properties = Object.entries(schema.properties ?? {}).map(([field, value]): [string, JsonSchema] => {
    const { doc = '', node } = fields.get(field) ?? {};
    const [, inner = ''] = /(\w+)(?:\[\])?(?: \| undefined)?$/.exec(node?.getText() ?? '') ?? [];
    const items = value.items as JsonSchema | undefined;
    return [
      field,
      {
        ...(doc && { description: doc }),
        ...(value.properties ? described(value, inner) : value),
        ...(items?.properties && { items: described(items, inner) }),
      },
    ];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
