// What the add-ons use in addition to the public entry points. It must run in browsers, so
// src/node/internal.ts lists what needs Node.js.
export { bodyField } from './contract/field-errors.js';
export { ifAllowed, unlessMissing } from './errors/expected-errors.js';
export { brandAs } from './errors/worktrack-error.js';
export { deploymentOf, sharedBy } from './http/operation-client.js';
export { fetchOnce, readText } from './http/send-request.js';
export { readBaseUrl } from './http/settings.js';
export {
  addMark,
  type Mark,
  maxMarkPart,
  readMark,
  removeMark,
} from './mark.js';
export {
  abortSignal,
  boolean,
  checkOptions,
  clientOption,
  duration,
  fn,
  isFunction,
  isNonEmptyString,
  isString,
  nonNegativeInteger,
  nonNegativeIntegerOrInfinity,
  type OptionsSchema,
  object,
  oneOf,
  option,
  positiveDuration,
  positiveInteger,
  requiredOption,
  requiredSecretOption,
  secretOption,
} from './option-schema.js';
export { delay, onAbort, race, settled, TimeLimit } from './shared/abort.js';
export { listenerCaller } from './shared/call-listener.js';
export { counted } from './shared/count.js';
export { describeThrown } from './shared/describe-thrown.js';
export { didYouMean, nearestOf } from './shared/did-you-mean.js';
export { isObject, parseJson } from './shared/json.js';
export { plainText } from './shared/plain-text.js';
export { escapeInvisible, inQuotes, invisible, quote, shorten } from './shared/quote.js';
export { readOneByOne } from './shared/read-one-by-one.js';
export { digestOf, SqliteFile } from './shared/sqlite.js';
export {
  decodeQuery,
  defaultWire,
  encodeCredential,
  encodePath,
  encodeQuery,
  pathPrefix,
} from './wire/index.js';
