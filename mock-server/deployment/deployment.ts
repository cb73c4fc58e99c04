import * as z from 'zod/mini';
import {
  describeFieldErrors,
  type ErrorCode,
  errorCodes,
  type Schema,
  validate,
} from '../../src/contract/index.js';
import { parseJson } from '../../src/shared/json.js';
import { InvalidInputError } from '../state/invalid-input-error.js';
import type { BoardTemplate, SlugRules } from '../state/rows.js';
import { type ErrorEnvelope, errorEnvelopes, pageEnvelopes, recordEnvelopes } from './envelopes.js';

/**
 * How a deployment handles what the API's specification leaves open: the content of a `deployment.json` file.
 * `worktrack conformance --settings` finds the values. You can also write them by hand.
 */
export interface Deployment {
  /** The HTTP statuses that differ from the mock server's, by error code. */
  statuses?: Partial<Record<ErrorCode, number>> | undefined;
  /**
   * The format of error responses:
   *
   * - `flat`: `{ "message", "errors"?, "code"? }`
   * - `message`: `{ "message" }`
   * - `nested`: `{ "error": { "message", "errors"?, "code"? } }`
   * - `list`: `{ "errors": [{ "field"?, "message", "code"? }] }`
   * - `problem`: `{ "title", "status", "detail", "errors"?, "code"? }`, similar to RFC 9457
   *
   * @defaultValue 'flat'
   */
  errorEnvelope?: ErrorEnvelope | undefined;
  /**
   * Whether records and unpaginated lists are in a field named `data`.
   *
   * @defaultValue 'data'
   */
  recordEnvelope?: keyof typeof recordEnvelopes | undefined;
  /**
   * The format of pages:
   *
   * - `nested`: `{ "data": { "data": […], "current_page", … } }`
   * - `flat`: `{ "data": […], "current_page", … }`
   * - `meta`: `{ "data": […], "meta": { "current_page", … }, "links": { "next", … } }`
   *
   * @defaultValue 'nested'
   */
  pageEnvelope?: keyof typeof pageEnvelopes | undefined;
  /**
   * The response to a page after the last one: an empty page, 404, or 422.
   *
   * @defaultValue 'empty'
   */
  pastLastPage?: 'empty' | 'not_found' | 'rejected' | undefined;
  /**
   * Whether lists contain archived tickets, documents, and projects.
   *
   * @defaultValue 'listed'
   */
  archivedInLists?: 'listed' | 'hidden' | undefined;
  /**
   * Whether `boards.list` contains hidden boards.
   *
   * @defaultValue 'listed'
   */
  hiddenBoards?: 'listed' | 'hidden' | undefined;
  /**
   * The order of documents and projects.
   *
   * @defaultValue 'oldest_first'
   */
  listOrder?: 'oldest_first' | 'newest_first' | undefined;
  /**
   * Whether archived tickets count toward a board's WIP limit.
   *
   * @defaultValue 'counted'
   */
  archivedInWipLimits?: 'counted' | 'not_counted' | undefined;
  /**
   * Who is the creator of a ticket and the author of a document: the credential, or the organization's owner.
   *
   * @defaultValue 'credential'
   */
  creator?: 'credential' | 'owner' | undefined;
  /** How board slugs are derived from names. `firstSuffix` is at most 1,000. */
  slugs?: SlugRules | undefined;
  /** The boards of a new project, at most 100. @defaultValue none */
  defaultBoards?: readonly BoardTemplate[] | undefined;
  /**
   * The slug or name of the board for tickets that are created without a board. If null, the board is required.
   *
   * @defaultValue null
   */
  boardForNewTickets?: string | null | undefined;
  /**
   * How an empty string in a required field is handled.
   *
   * @defaultValue 'accepted'
   */
  emptyStrings?: 'accepted' | 'rejected' | undefined;
  /**
   * How unknown fields in a request body are handled.
   *
   * @defaultValue 'ignored'
   */
  unknownFields?: 'ignored' | 'rejected' | undefined;
  /**
   * Whether fields without a value are null or omitted.
   *
   * @defaultValue 'null'
   */
  emptyFields?: 'null' | 'omitted' | undefined;
  /** What the conformance kit found that no setting expresses. The mock server ignores this field. */
  notExpressed?: readonly string[] | undefined;
}

/** The settings, without the notes about what they can't express. */
export type DeploymentSettings = Omit<Deployment, 'notExpressed'>;

export type SettingName = keyof DeploymentSettings;

const namesOf = <Table extends object>(table: Table) =>
  z.enum(Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]);

const text = (limit: number) => z.string().check(z.maxLength(limit));
const optionalText = z.optional(z.nullable(text(120)));

/** The schema of each setting. Omitting a setting is a compile error. */
const settings: Record<SettingName, z.ZodMiniType> = {
  statuses: z.strictObject(
    Object.fromEntries(
      Object.keys(errorCodes).map((code) => [
        code,
        z.optional(z.int().check(z.minimum(400), z.maximum(599))),
      ]),
    ),
  ),
  errorEnvelope: namesOf(errorEnvelopes),
  recordEnvelope: namesOf(recordEnvelopes),
  pageEnvelope: namesOf(pageEnvelopes),
  pastLastPage: z.enum(['empty', 'not_found', 'rejected']),
  archivedInLists: z.enum(['listed', 'hidden']),
  hiddenBoards: z.enum(['listed', 'hidden']),
  listOrder: z.enum(['oldest_first', 'newest_first']),
  archivedInWipLimits: z.enum(['counted', 'not_counted']),
  creator: z.enum(['credential', 'owner']),
  slugs: z.strictObject({
    separator: text(10),
    fallback: text(120),
    firstSuffix: z.int().check(z.minimum(0), z.maximum(1000)),
  } satisfies Record<keyof SlugRules, z.ZodMiniType>),
  defaultBoards: z
    .array(
      z.strictObject({
        name: text(120),
        slug: z.optional(text(120)),
        color: optionalText,
        wip_limit: z.optional(z.nullable(z.int().check(z.minimum(1)))),
        is_done: z.optional(z.boolean()),
        is_hidden: z.optional(z.boolean()),
      } satisfies Record<keyof BoardTemplate, z.ZodMiniType>),
    )
    .check(z.maxLength(100)),
  boardForNewTickets: z.nullable(text(120)),
  emptyStrings: z.enum(['accepted', 'rejected']),
  unknownFields: z.enum(['ignored', 'rejected']),
  emptyFields: z.enum(['null', 'omitted']),
};

const schema = z.partial(z.strictObject({ ...settings, notExpressed: z.array(z.string()) }));

/**
 * Validates the content of a `deployment.json` file.
 *
 * @param value an object or a JSON string
 * @throws TypeError if the content is invalid; the message names the first invalid field
 */
export function parseDeployment(value: unknown): Deployment {
  const content = typeof value === 'string' ? parseJson(value, reject) : value;
  const result = validate(schema as unknown as Schema<Deployment, never>, content);
  if (result.ok) return result.value;
  throw new InvalidInputError(
    `deployment: ${describeFieldErrors(result.fieldErrors, 1)}; create the file with "worktrack conformance --settings deployment.json"`,
  );
}

function reject({ message }: Error): never {
  throw new InvalidInputError(`deployment: not valid JSON: ${message}`);
}
