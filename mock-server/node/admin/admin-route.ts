import { didYouMean } from '../../../src/shared/did-you-mean.js';
import { isObject } from '../../../src/shared/json.js';
import type { Space } from '../spaces.js';
import { AdminError } from './admin-error.js';

type Types = { body?: unknown; query?: unknown; response?: unknown };

export interface AdminCall<Body = unknown> {
  space: Space;
  /**
   * The decoded value of the path's only parameter, such as the ID for `{id}`. Empty if the path has no
   * parameter.
   */
  param: string;
  query: URLSearchParams;
  /** The JSON body. If the route doesn't list its `fields`, the handler must check them. */
  body: Body;
}

/** An admin route's handler and its response statuses. */
export interface AdminRoute<Route extends Types = Types> {
  /** The status of a successful response. Unless the status is 204, the body is `{ "data": … }`. */
  status: 200 | 204;
  /** The error statuses that the route can return, in addition to those that every admin route can return. */
  errors?: readonly number[];
  /** Whether the body contains seed data and can therefore be much larger. */
  acceptsWorld?: boolean;
  /**
   * The names of the body's fields. Unknown names are rejected, but values aren't checked. Omitted if the
   * handler checks the names.
   */
  fields?: Record<keyof Route['body'], true>;
  /** The names of the query parameters, if there are any. Unknown names are rejected. */
  parameters?: Record<keyof Route['query'], true>;
  /** @returns the response data, or a `Response` */
  handle(call: AdminCall<Route['body']>): Route['response'] | Response;
}

/** Routes, keyed by method and path without the admin prefix, such as `DELETE /faults/{id}`. */
export type AdminRoutes = Readonly<Record<string, AdminRoute>>;

/** The routes of an API. A missing route or a wrong response is a compile error. */
export type RoutesOf<Api> = { readonly [Name in keyof Api]: AdminRoute<Api[Name] & Types> };

/**
 * Checks that a body is an object, and that its fields and the query parameters are known.
 *
 * @throws {@link AdminError} with status 422 if it isn't an object or a field is unknown
 */
export function checkInput(
  body: unknown,
  query: URLSearchParams,
  { fields, parameters = {} }: AdminRoute,
): void {
  checkNames('query parameter', [...query.keys()], parameters);
  if (!isObject(body)) throw new AdminError(422, 'The body must be a JSON object.');
  if (fields) checkNames('field', Object.keys(body), fields);
}

function checkNames(kind: string, names: readonly string[], known: object): void {
  const unknown = names.find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const expected = Object.keys(known);
  const hint = expected.length > 0 ? didYouMean(unknown, expected) : `this route has no ${kind}s`;
  throw new AdminError(422, `unknown ${kind} ${JSON.stringify(unknown)}; ${hint}`);
}
