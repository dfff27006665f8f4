import { join, relative } from 'node:path';
import ts from 'typescript';

/** A property of the row type of a query. */
export interface RowProperty {
  readonly name: string;
  /** The kinds of the values that the type allows, without null and undefined. */
  readonly kinds: readonly string[];
  readonly allowsNull: boolean;
  readonly allowsUndefined: boolean;
}

/** A `query(sql…)` call with its row type. */
export interface TypedQuery {
  /** File and line, from the folder of the sources. */
  readonly place: string;
  readonly row: readonly RowProperty[];
  /** The text of the statement; undefined when it is built at run time. */
  readonly text: string | undefined;
}

/** Thrown inside this file for a statement whose text is only known at run time. */
class BuiltAtRunTime extends Error {}

/** Values of the parameters of functions that build a statement, while their text is resolved. */
type Arguments = ReadonlyMap<ts.Symbol, { readonly expression: ts.Expression; readonly scope: Arguments }>;

interface Resolution {
  readonly checker: ts.TypeChecker;
  placeholders: number;
}

/**
 * Finds the queries of source files whose rows have a type, and the text of their statements. Fragments are inlined:
 * constants, functions that return one statement, and one branch of a condition.
 */
export function findTypedQueries(folder: string, program: ts.Program, files: readonly string[]): TypedQuery[] {
  const checker = program.getTypeChecker();
  return files.flatMap(file => {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} is not part of the program`);
    return callsIn(source).flatMap(call => {
      const row = rowTypeOf(call, checker);
      const [statement] = call.arguments;
      if (row === undefined || statement === undefined) return [];
      const line = source.getLineAndCharacterOfPosition(call.getStart()).line + 1;
      return [{ place: `${relative(folder, file)}:${line}`, row, text: textOf(statement, checker) }];
    });
  });
}

/** A program of all sources of a package. */
export function createSourceProgram(packageFolder: string): ts.Program {
  const path = join(packageFolder, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, packageFolder);
  return ts.createProgram(fileNames, options);
}

function callsIn(source: ts.SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The row type of a call of `Queryable.query`; undefined for other calls, and for rows that no caller reads. */
function rowTypeOf(call: ts.CallExpression, checker: ts.TypeChecker): RowProperty[] | undefined {
  if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'query') return undefined;
  const signature = checker.getResolvedSignature(call);
  const parameter = signature?.getParameters()[0];
  if (parameter === undefined || checker.getTypeOfSymbol(parameter).symbol?.name !== 'Statement') return undefined;
  const rows = checker.getTypeArguments(checker.getTypeAtLocation(call) as ts.TypeReference)[0];
  const row = rows && checker.getTypeArguments(rows as ts.TypeReference)[0];
  if (row === undefined || (row.flags & ts.TypeFlags.TypeParameter) !== 0) return undefined;
  const properties = checker.getPropertiesOfType(row).map(property => describeProperty(property, checker));
  return properties.length === 0 ? undefined : properties;
}

function describeProperty(property: ts.Symbol, checker: ts.TypeChecker): RowProperty {
  const type = checker.getTypeOfSymbol(property);
  const members = type.isUnion() ? type.types : [type];
  const has = (flag: ts.TypeFlags) => members.some(member => (member.flags & flag) !== 0);
  const isAny = has(ts.TypeFlags.Any | ts.TypeFlags.Unknown);
  const values = members.filter(member => (member.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0);
  return {
    name: property.name,
    kinds: [...new Set(values.map(member => kindOf(member, checker)))],
    allowsNull: isAny || has(ts.TypeFlags.Null),
    allowsUndefined: has(ts.TypeFlags.Undefined),
  };
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): string {
  if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return 'any';
  if ((type.flags & ts.TypeFlags.StringLike) !== 0) return 'string';
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return 'number';
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return 'boolean';
  if (checker.isArrayLikeType(type)) return 'array';
  const name = type.symbol?.name;
  return name === 'Buffer' || name === 'Date' ? name : 'object';
}

function textOf(statement: ts.Expression, checker: ts.TypeChecker): string | undefined {
  try {
    return resolve(statement, new Map(), { checker, placeholders: 0 });
  } catch (error) {
    if (error instanceof BuiltAtRunTime) return undefined;
    throw error;
  }
}

function resolve(expression: ts.Expression, scope: Arguments, resolution: Resolution): string {
  if (ts.isParenthesizedExpression(expression)) return resolve(expression.expression, scope, resolution);
  if (ts.isTaggedTemplateExpression(expression)) return resolveTemplate(expression.template, scope, resolution);
  if (ts.isConditionalExpression(expression)) return resolveCondition(expression, scope, resolution);
  if (ts.isCallExpression(expression)) return resolveCall(expression, scope, resolution);
  if (ts.isIdentifier(expression)) return resolveName(expression, scope, resolution);
  if (ts.isPropertyAccessExpression(expression)) return resolveMember(expression, scope, resolution);
  throw new BuiltAtRunTime(expression.getText());
}

function resolveTemplate(template: ts.TemplateLiteral, scope: Arguments, resolution: Resolution): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce((text, { expression, literal }) => {
    const isFragment = resolution.checker.getTypeAtLocation(expression).symbol?.name === 'Statement';
    const value = isFragment ? resolve(expression, scope, resolution) : `$${++resolution.placeholders}`;
    return text + value + literal.text;
  }, template.head.text);
}

/** One branch, and not an empty one: the branches of a fragment select the same columns. */
function resolveCondition(expression: ts.ConditionalExpression, scope: Arguments, resolution: Resolution): string {
  const { whenTrue, whenFalse } = expression;
  const isEmpty = ts.isTaggedTemplateExpression(whenTrue) && whenTrue.template.getText() === '``';
  return resolve(isEmpty ? whenFalse : whenTrue, scope, resolution);
}

function resolveName(name: ts.Identifier, scope: Arguments, resolution: Resolution): string {
  const symbol = targetOf(name, resolution.checker);
  const given = symbol && scope.get(symbol);
  if (given !== undefined) return resolve(given.expression, given.scope, resolution);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined) throw new BuiltAtRunTime(name.text);
  if (!ts.isVariableDeclaration(declaration) && !ts.isParameter(declaration)) throw new BuiltAtRunTime(name.text);
  if (declaration.initializer === undefined) throw new BuiltAtRunTime(name.text);
  return resolve(declaration.initializer, scope, resolution);
}

/** A member of a constant object of fragments. */
function resolveMember(member: ts.PropertyAccessExpression, scope: Arguments, resolution: Resolution): string {
  const declaration = resolution.checker.getSymbolAtLocation(member.name)?.valueDeclaration;
  if (declaration === undefined || !ts.isPropertyAssignment(declaration)) throw new BuiltAtRunTime(member.getText());
  return resolve(declaration.initializer, scope, resolution);
}

function resolveCall(call: ts.CallExpression, scope: Arguments, resolution: Resolution): string {
  if (!ts.isIdentifier(call.expression)) throw new BuiltAtRunTime(call.getText());
  if (call.expression.text === 'withoutName' && call.arguments[0]) return resolve(call.arguments[0], scope, resolution);
  const declaration = targetOf(call.expression, resolution.checker)?.valueDeclaration;
  const returned = declaration && ts.isFunctionDeclaration(declaration) ? lastReturnOf(declaration) : undefined;
  if (returned === undefined) throw new BuiltAtRunTime(call.getText());
  const given = new Map<ts.Symbol, { expression: ts.Expression; scope: Arguments }>();
  (declaration as ts.FunctionDeclaration).parameters.forEach((parameter, index) => {
    const argument = call.arguments[index];
    const symbol = ts.isIdentifier(parameter.name) && resolution.checker.getSymbolAtLocation(parameter.name);
    if (symbol && argument) given.set(symbol, { expression: argument, scope });
  });
  return resolve(returned, given, resolution);
}

function lastReturnOf({ body }: ts.FunctionDeclaration): ts.Expression | undefined {
  const last = body?.statements.at(-1);
  return last && ts.isReturnStatement(last) ? last.expression : undefined;
}

function targetOf(name: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}
