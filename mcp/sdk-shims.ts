import process from 'node:process';

// The build puts this file in the place of `@modelcontextprotocol/server/_shims`, which brings a validator of
// JSON Schema along, half of the bundle. The SDK needs one for schemas that our tools don't have.
export { process };

/** Accepts nothing, so that a use of it can't go unnoticed. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This build has no validator of JSON Schema');
  }
}
