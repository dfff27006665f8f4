// @ts-nocheck: it narrows nodes of the syntax tree by kind.
import ts from 'typescript';

/**
 * Lists the imports of a source file, and the lines that read the environment.
 *
 * @returns {{ imports: { specifier: string, isType: boolean, isLazy?: boolean, line: number }[], environmentReads: number[] }}
 */
export function readSource(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, scriptKind(path));
  const imports = [];
  const environmentReads = [];
  const lineOf = node => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;

  const visit = node => {
    const found = importOf(node);
    if (found) imports.push({ ...found, line: lineOf(node) });
    if (readsEnvironment(node, file)) environmentReads.push(lineOf(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { imports, environmentReads };
}

function scriptKind(path) {
  if (path.endsWith('.tsx')) return ts.ScriptKind.TSX;
  return path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JSX;
}

function importOf(node) {
  if (ts.isImportDeclaration(node)) {
    return {
      specifier: node.moduleSpecifier.text,
      isType: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: node.moduleSpecifier.text, isType: node.isTypeOnly };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: node.argument.literal.text, isType: true };
  }
  if (isModuleCall(node) && node.arguments[0] && ts.isStringLiteralLike(node.arguments[0])) {
    return { specifier: node.arguments[0].text, isType: false, isLazy: true };
  }
  return undefined;
}

function isModuleCall(node) {
  if (!ts.isCallExpression(node)) return false;
  return node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.text === 'require';
}

/** `process.env`, `globalThis.process?.env`, `process['env']`, `const { env } = process`, `import { env } from 'node:process'`. */
function readsEnvironment(node, file) {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'env' && isProcess(node.expression, file);
  if (ts.isElementAccessExpression(node)) {
    return node.argumentExpression.text === 'env' && isProcess(node.expression, file);
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && node.initializer) {
    return (
      isProcess(node.initializer, file) &&
      node.name.elements.some(part => (part.propertyName ?? part.name).text === 'env')
    );
  }
  return ts.isImportDeclaration(node) && /^(node:)?process$/.test(node.moduleSpecifier.text);
}

function isProcess(expression, file) {
  return /(^|\.)process$/.test(expression.getText(file));
}

/** Whether a file is a test, or only tests load it. */
export function isTest(path) {
  return /\.(test|test-d|fixtures)\.\w+$|\/test\//.test(path);
}
