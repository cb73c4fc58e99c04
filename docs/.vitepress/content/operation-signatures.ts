import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { OperationId } from '../../../src/contract/index.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns a function that reads method signatures from the client's types. */
export function signatureReader(): (id: OperationId) => string {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
  const program = ts.createProgram([`${root}src/client.ts`], config?.options ?? {});
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(`${root}src/client.ts`);
  const module = source && checker.getSymbolAtLocation(source);
  const client = module && checker.getExportsOfModule(module).find(({ name }) => name === 'Worktrack');
  if (!client) throw new Error("src/client.ts doesn't export Worktrack");

  return (id) => {
    let type = checker.getDeclaredTypeOfSymbol(client);
    for (const name of id.split('.')) {
      const property = type.getProperty(name);
      if (!property) throw new Error(`the client has no method ${id}`);
      type = checker.getTypeOfSymbol(property);
    }
    return type
      .getCallSignatures()
      .map((signature) => {
        const text = checker.signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation);
        return `client.${id}${text.replaceAll(' | undefined', '')}`;
      })
      .join('\n');
  };
}
