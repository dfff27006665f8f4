import { relative } from 'node:path';
import ts from 'typescript';
import { root } from '../setup/workspace.mjs';

const options = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['source'],
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/**
 * The optional members of parameters that refuse `undefined` in an app with `exactOptionalPropertyTypes`, one line each.
 * Starts at the exports of the entry points and follows parameters, results and members.
 */
export function findStrictOptionals(entries) {
  const program = ts.createProgram(entries, options);
  const checker = program.getTypeChecker();
  const undefinedType = checker.getUndefinedType();
  const found = new Set();
  const inputs = new Set();
  const outputs = new Set();

  const typesOf = type => (type.isUnionOrIntersection() ? type.types : [type]);
  const takesUndefined = type => typesOf(type).includes(undefinedType) || (type.flags & ts.TypeFlags.Unknown) !== 0;
  const ownDeclarationOf = member => member.declarations?.find(node => !isForeign(node.getSourceFile().fileName));

  function visitInput(type) {
    if (inputs.has(type)) return;
    inputs.add(type);
    if (type.isUnionOrIntersection()) return type.types.forEach(visitInput);
    if ((type.flags & ts.TypeFlags.Object) === 0) return;
    for (const member of checker.getPropertiesOfType(type)) {
      const node = ownDeclarationOf(member);
      if (node === undefined || ts.isMethodSignature(node) || ts.isMethodDeclaration(node)) continue;
      const memberType = checker.getTypeOfSymbol(member);
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      // `?: never` says that a member of another case must not be there.
      const isNever = ts.isPropertySignature(node) && node.type?.kind === ts.SyntaxKind.NeverKeyword;
      if (isOptional && !isNever && !takesUndefined(memberType)) found.add(describe(node));
      visitInput(memberType);
    }
    for (const part of partsOf(type)) visitInput(part);
  }

  function visitOutput(type) {
    if (outputs.has(type)) return;
    outputs.add(type);
    if (type.isUnionOrIntersection()) return type.types.forEach(visitOutput);
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const parameter of signature.parameters) visitInput(checker.getTypeOfSymbol(parameter));
      visitOutput(signature.getReturnType());
    }
    for (const part of partsOf(type)) visitOutput(part);
    for (const member of checker.getPropertiesOfType(type)) {
      if (ownDeclarationOf(member) !== undefined) visitOutput(checker.getTypeOfSymbol(member));
    }
  }

  function partsOf(type) {
    return type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type) : [];
  }

  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry} is not a module.`);
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (symbol.flags & ts.SymbolFlags.Value) visitOutput(checker.getTypeOfSymbol(symbol));
      if (symbol.flags & ts.SymbolFlags.Type) visitOutput(checker.getDeclaredTypeOfSymbol(symbol));
    }
  }
  return [...found].sort();
}

function isForeign(file) {
  return file.includes('/node_modules/');
}

function describe(node) {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(root, file.fileName)}:${line + 1}: ${node.name.getText()}`;
}
