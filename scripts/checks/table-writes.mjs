import ts from 'typescript';
import { exceptions, tableOwners } from './table-owners.mjs';

const serverFolder = 'packages/server/src/';

/** `update` in `for update`, `do update set` and trigger clauses names no table. */
const writePattern =
  /(?<!\b(?:for|for no key|do|on|before|after|or|key)\s+)\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(\$0|[a-z_]+(?:\.[a-z_]+)?)/gi;

/**
 * Finds SQL that writes a table outside the owner's stores, and tables without an owner.
 *
 * @param {Map<string, string>} files text by path, from the root of the repository
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function findForeignWrites(files) {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith(serverFolder)) return [];
    const file = path.slice(serverFolder.length);
    if (file.startsWith('migrations/')) return tablesWithoutOwner(path, text);
    if (!isProductSource(file) || file in exceptions) return [];
    return readWrites(path, text).flatMap(({ table, line }) => {
      const message = problemOf(file, table);
      return message === undefined ? [] : [{ file: path, line, message }];
    });
  });
}

/** @param {string} file */
function isProductSource(file) {
  return file.endsWith('.ts') && !/\.(test|fixtures)\.ts$|(^|\/)test\//.test(file);
}

/**
 * @param {string} file from the source folder of the server
 * @param {string} table
 */
function problemOf(file, table) {
  if (table === '$0') return 'writes a table that is a value; name the table';
  const owner = ownerOf(table);
  if (owner === undefined) return `writes ${table}, which has no row in scripts/checks/table-owners.mjs`;
  if (!file.startsWith(`${owner}/`)) return `writes ${table} of ${owner}; call a function of the owner`;
  if (owner.startsWith('platform/') || /(^|[/-])(store|purge)\.ts$/.test(file)) return undefined;
  return `writes ${table} outside a store; only store.ts, *-store.ts and purge.ts write tables`;
}

/** @param {string} table */
function ownerOf(table) {
  return Object.entries(tableOwners).find(([name]) => name === table)?.[1];
}

/**
 * @param {string} path
 * @param {string} text
 */
function tablesWithoutOwner(path, text) {
  return text.split('\n').flatMap((content, index) => {
    const table = /^create table (?:if not exists )?([a-z_]+)/.exec(content)?.[1];
    if (table === undefined || ownerOf(table) !== undefined) return [];
    return [
      { file: path, line: index + 1, message: `creates ${table}, which has no row in scripts/checks/table-owners.mjs` },
    ];
  });
}

/**
 * The written tables of all SQL in a source file: of `sql` templates, and of strings that a query takes directly, as the
 * `text` of a named statement, or by the name of a constant of the file.
 *
 * @param {string} path
 * @param {string} text
 */
function readWrites(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {{ table: string, line: number }[]} */
  const writes = [];
  /** @param {ts.Node} node */
  const visit = node => {
    const written = ts.isIdentifier(node) && isQuery(node) ? constantOf(source, node.text) : node;
    const statement = written === undefined ? undefined : sqlOf(written, node);
    if (written !== undefined && statement !== undefined) {
      const line = source.getLineAndCharacterOfPosition(written.getStart()).line;
      for (const { table, lineInside } of writesOf(statement)) writes.push({ table, line: line + lineInside + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return writes;
}

/**
 * The value of a constant that is declared at the top of a file.
 *
 * @param {ts.SourceFile} source
 * @param {string} name
 */
function constantOf(source, name) {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(statement => statement.declarationList.declarations)
    .find(declaration => declaration.name.getText() === name)?.initializer;
}

/**
 * @param {ts.Node} node
 * @param {ts.Node} used the same node, or the name of the constant that has it
 */
function sqlOf(node, used) {
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
    const text = textOf(node.template);
    return isPurgeTable(node) ? `delete from ${text}` : text;
  }
  const isTemplate =
    ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
  return isTemplate && isQuery(used) ? textOf(node) : undefined;
}

/** @param {ts.Node} node */
function isQuery(node) {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.name.getText() === 'text') return isQuery(parent.parent);
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  return /(^|\.)query$/.test(parent.expression.getText());
}

/**
 * A purge rule names the table of its delete statement in a template of its own.
 *
 * @param {ts.Node} node
 */
function isPurgeTable(node) {
  return ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === 'table';
}

/** @param {ts.StringLiteral | ts.TemplateLiteral} template */
function textOf(template) {
  if (!ts.isTemplateExpression(template)) return template.text;
  return template.head.text + template.templateSpans.map(span => `$0${span.literal.text}`).join('');
}

/** @param {string} statement */
function writesOf(statement) {
  const text = statement.replace(/--[^\n]*/g, comment => ' '.repeat(comment.length));
  return [...text.matchAll(writePattern)].map(match => ({
    table: match[1] ?? '',
    lineInside: text.slice(0, match.index).split('\n').length - 1,
  }));
}
