import ts from 'typescript';
import { root } from '../entries.js';

export interface FieldDoc {
  /** The field's TSDoc. */
  description?: string;
  /** The values, if the field is a string union. */
  known?: string[];
}

/** Reads the TSDoc of the contract's interfaces, keyed by interface and field. */
export function fieldDocs(): ReadonlyMap<string, ReadonlyMap<string, FieldDoc>> {
  const file = `${root}src/contract/index.ts`;
  const program = ts.createProgram([file], { ...compilerOptions(), noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} isn't a module`);
  const docs = new Map<string, Map<string, FieldDoc>>();
  for (const symbol of checker.getExportsOfModule(module)) {
    const type = checker.getDeclaredTypeOfSymbol(aliased(symbol, checker));
    const fields = fieldsOf(type, checker);
    if (fields.size > 0) docs.set(symbol.name, fields);
  }
  return docs;
}

/** Returns the fields of an interface, or of all members of a union of interfaces. */
function fieldsOf(type: ts.Type, checker: ts.TypeChecker): Map<string, FieldDoc> {
  const members = type.isUnion() ? type.types : [type];
  if (!members.every((member) => member.isClassOrInterface())) return new Map();
  return new Map(
    members
      .flatMap((member) => member.getProperties())
      .map((property): [string, FieldDoc] => [property.name, docOf(property, checker)])
      .filter(([, { description, known }]) => description || known),
  );
}

function docOf(property: ts.Symbol, checker: ts.TypeChecker): FieldDoc {
  const description = ts
    .displayPartsToString(property.getDocumentationComment(checker))
    .replaceAll('\n', ' ');
  const type = checker.getTypeOfSymbol(property);
  const values = type.isUnion() ? type.types : [];
  const known = values.flatMap((value) => (value.isStringLiteral() ? [value.value] : []));
  return { ...(description && { description }), ...(known.length > 0 && { known }) };
}

const aliased = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
}
