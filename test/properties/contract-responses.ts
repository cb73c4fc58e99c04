import { expect } from 'vitest';
import { type OperationId, operationOf } from 'worktrack/contract';
import { definitionOf } from '../../src/contract/zod-internals.js';
import type { ApiResponse } from '../rules/requests.js';

/** Asserts that a successful response matches the contract and has no other fields. */
export function expectContract(operation: OperationId, data: ApiResponse['data']): void {
  const { response, paginated } = operationOf(operation);
  const result = paginated ? data.data : data;
  if (!response) return;
  const { success, error } = response.safeParse(result);
  expect(success, `${operation}: ${error?.message}`).toBe(true);
  expect(unknownKeys(response, result), `unknown fields in the response of ${operation}`).toEqual([]);
}

/** Returns the paths of unknown fields. Response schemas accept unknown fields to support newer servers. */
function unknownKeys(schema: object, value: unknown, path = ''): string[] {
  const def = definitionOf(schema);
  if (typeof value !== 'object' || value === null) return [];
  if (def.innerType) return unknownKeys(def.innerType, value, path);
  const { shape, element } = def;
  if (element && Array.isArray(value))
    return value.flatMap((item, index) => unknownKeys(element, item, `${path}[${index}]`));
  if (!shape) throw new Error(`${path || 'the response'} is an object, but the contract has ${def.type}`);
  return Object.entries(value).flatMap(([key, item]) => {
    const part = shape[key];
    return part ? unknownKeys(part, item, `${path}.${key}`) : [`${path}.${key}`];
  });
}
