import { relative } from 'node:path';
import ts from 'typescript';
import { nodesIn } from '../statements/source-program.ts';
import { textOfStatement } from '../statements/statement-text.ts';

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

/** All branches of a condition select the same columns. */
const asDescribed = { branch: { condition: 'filled', returned: -1 }, sharesPlaceholders: false } as const;

/**
 * Finds the queries of source files whose rows have a type, and the text of their statements.
 */
export function findTypedQueries(folder: string, program: ts.Program, files: readonly string[]): TypedQuery[] {
  const checker = program.getTypeChecker();
  return files.flatMap(file => {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} is not part of the program`);
    return nodesIn(source, ts.isCallExpression).flatMap(call => {
      const row = rowTypeOf(call, checker);
      const [statement] = call.arguments;
      if (row === undefined || statement === undefined) return [];
      const line = source.getLineAndCharacterOfPosition(call.getStart()).line + 1;
      return [
        {
          place: `${relative(folder, file)}:${line}`,
          row,
          text: textOfStatement(statement, checker, asDescribed)?.text,
        },
      ];
    });
  });
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
