import { relative } from 'node:path';
import ts from 'typescript';
import { nodesIn } from './source-program.ts';
import { isEmptyTemplate, textOfStatement } from './statement-text.ts';

/** A statement that the sources send to the database. */
export interface SourceStatement {
  /** The file, from the folder of the sources, and the function around the statement. */
  readonly place: string;
  /** The texts that conditions lead to. Equal values have the same placeholder. */
  readonly texts: readonly string[];
}

export interface FoundStatements {
  readonly statements: readonly SourceStatement[];
  /** Places of templates that are part of no statement whose text is known. */
  readonly unread: readonly string[];
}

/** With these, each template of the sources is part of a text, except for those that are built at run time. */
const branches = ([0, 1, 2, 'filled'] as const).flatMap(condition =>
  [0, 1, 2, 3].map(returned => ({ condition, returned })),
);

/**
 * Finds all statements of source files: the arguments of `query`, of the database and of the driver, and the delete
 * statements that purge rules lead to.
 */
export function findStatements(folder: string, program: ts.Program, files: readonly string[]): FoundStatements {
  const checker = program.getTypeChecker();
  const read = new Set<ts.Node>();
  const sources = files.flatMap(file => program.getSourceFile(file) ?? []);
  const textsOf = (expression: ts.Expression) => {
    const found = branches.flatMap(
      branch => textOfStatement(expression, checker, { branch, sharesPlaceholders: true }) ?? [],
    );
    for (const template of found.flatMap(({ templates }) => templates)) read.add(template);
    return [...new Set(found.map(({ text }) => text))];
  };
  const statements = sources.flatMap(source =>
    [
      ...nodesIn(source, ts.isCallExpression).map(call => ({ node: call, texts: textsOfCall(call, checker, textsOf) })),
      ...nodesIn(source, ts.isObjectLiteralExpression).map(rule => ({
        node: rule,
        texts: textsOfPurge(rule, textsOf),
      })),
    ].flatMap(({ node, texts }) => (texts.length === 0 ? [] : [{ place: placeOf(node, folder), texts }])),
  );
  const templates = sources.flatMap(source => nodesIn(source, ts.isTaggedTemplateExpression));
  const unread = templates.filter(one => one.tag.getText() === 'sql' && !isEmptyTemplate(one) && !read.has(one));
  return { statements, unread: [...new Set(unread.map(template => placeOf(template, folder)))] };
}

function textsOfCall(
  call: ts.CallExpression,
  checker: ts.TypeChecker,
  textsOf: (expression: ts.Expression) => string[],
): string[] {
  const [statement] = call.arguments;
  if (statement === undefined || !/\.query$/.test(call.expression.getText())) return [];
  const signature = checker.getResolvedSignature(call);
  const isOfDriver = signature?.declaration?.getSourceFile().fileName.includes('/@types/pg/') === true;
  if (isOfDriver && ts.isStringLiteralLike(statement)) return [statement.text];
  const parameter = signature?.getParameters()[0];
  const takesStatement = parameter && checker.getTypeOfSymbol(parameter).symbol?.name === 'Statement';
  return takesStatement ? textsOf(statement) : [];
}

/** The statements of a rule of `platform/database/purge.ts`. */
function textsOfPurge(rule: ts.ObjectLiteralExpression, textsOf: (expression: ts.Expression) => string[]): string[] {
  const member = (name: string) =>
    rule.properties.filter(ts.isPropertyAssignment).find(property => property.name.getText() === name)?.initializer;
  const [table, places, before] = [member('table'), member('places'), member('before')];
  if (table === undefined || places === undefined || !ts.isArrowFunction(places) || ts.isBlock(places.body)) return [];
  const [tableText] = textsOf(table);
  return [
    ...textsOf(places.body).map(text => `delete from ${tableText} where ctid = any(array(${text} limit 1000))`),
    ...(before === undefined ? [] : textsOf(before)),
  ];
}

function placeOf(node: ts.Node, folder: string): string {
  const file = relative(folder, node.getSourceFile().fileName);
  for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
    if (ts.isFunctionDeclaration(outer) && outer.name) return `${file} ${outer.name.text}`;
    if (ts.isVariableDeclaration(outer) && ts.isSourceFile(outer.parent.parent.parent)) {
      return `${file} ${outer.name.getText()}`;
    }
  }
  return file;
}
