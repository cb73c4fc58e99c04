import process from 'node:process';

// The build replaces `@modelcontextprotocol/server/_shims` with this file. The original includes a JSON
// Schema validator that would double the bundle size. The SDK needs the validator only for schemas that this
// server's tools don't use.
export { process };

/** A validator that throws if the SDK tries to use it. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("This build doesn't include a JSON Schema validator");
  }
}
