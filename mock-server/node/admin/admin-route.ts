import { isObject } from '../../../src/wire/index.js';
import type { Space } from '../space.js';
import { AdminError } from './admin-error.js';

/** A request to an admin route. */
export interface AdminCall {
  space: Space;
  /** The decoded value of the path's parameter, such as `{id}`; empty if the path has none. */
  param: string;
  query: URLSearchParams;
  body: unknown;
}

/** An admin route's handler and its response statuses. */
export interface AdminRoute {
  /** The status of a successful response. Unless it's 204, the body is `{ "data": … }`. */
  status: 200 | 204;
  /** Error statuses other than those that every admin route can return. */
  errors?: readonly number[];
  /** Whether the body contains seed data and can therefore be much larger. */
  acceptsWorld?: boolean;
  /** @returns the response data, or a `Response` */
  handle(call: AdminCall): unknown;
}

/** Routes, keyed by method and path without the admin prefix, such as `DELETE /faults/{id}`. */
export type AdminRoutes = Readonly<Record<string, AdminRoute>>;

/** @throws {@link AdminError} 422 if the body isn't an object */
export function readObject(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new AdminError(422, 'The body must be a JSON object.');
}

/** @throws {@link AdminError} 422 if the body has unknown fields */
export function rejectUnknown(rest: object, known: string): void {
  const [first] = Object.keys(rest);
  if (first !== undefined) {
    throw new AdminError(422, `unknown field ${JSON.stringify(first)}; expected one of: ${known}`);
  }
}
