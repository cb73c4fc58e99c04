import process from 'node:process';

// The build replaces `@modelcontextprotocol/server/_shims` with this file. The original includes a JSON
// Schema validator that would double the bundle size, and our tools don't use the schemas that it's for.
export { process };

/** Throws if it's used, to reveal that the SDK does need a validator. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("This build doesn't include a JSON Schema validator");
  }
}
