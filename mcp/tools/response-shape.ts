import * as z from 'zod/mini';
import { type OperationId, operationOf } from '../../src/contract/index.js';
import type { JsonSchema } from './tool.js';

/** The shape of an operation's result. */
export interface ResponseShape {
  isList: boolean;
  /** The field names of the record, or of each record in the list. */
  fields: readonly string[];
}

const shapes = new Map<OperationId, ResponseShape>();

export function responseShape(id: OperationId): ResponseShape {
  const shape = shapes.get(id) ?? readShape(id);
  shapes.set(id, shape);
  return shape;
}

function readShape(id: OperationId): ResponseShape {
  const { response } = operationOf(id);
  if (!response) return { isList: false, fields: [] };
  const schema = z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as ObjectOrList;
  return {
    isList: schema.items !== undefined,
    fields: Object.keys((schema.items ?? schema).properties ?? {}),
  };
}

interface ObjectOrList {
  properties?: Record<string, JsonSchema>;
  items?: { properties?: Record<string, JsonSchema> };
}
