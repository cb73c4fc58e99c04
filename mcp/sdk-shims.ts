import process from 'node:process';

// The build replaces `@modelcontextprotocol/server/_shims` with this file. The original contains a JSON
// Schema validator, which would be half of the bundle. The SDK needs it only for schemas that our tools don't
// have.
export { process };

/** Throws on every use, so that a use can't go unnoticed. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("This build doesn't include a JSON Schema validator");
  }
}
