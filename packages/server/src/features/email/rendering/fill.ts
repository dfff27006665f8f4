import type Handlebars from 'handlebars';
import { dropOldest } from '../../../platform/drop-oldest.ts';

type Program = ReturnType<typeof Handlebars.parse>;

export type Variables = Readonly<Record<string, string | undefined>>;

const templateMaxLength = 20_000;
/** Length limit of the text that Handlebars parses: parsing costs about 20 µs per character. */
const codeMaxLength = 4_000;
const filledMaxLength = 2_000_000;
const maxNesting = 20;

/** Handlebars features that are not allowed: partials, decorators, loops, helpers with arguments. */
class Unsupported extends Error {}

/**
 * Fills a Handlebars template without escaping. Handlebars parses the text but never compiles it. Variables, `if`,
 * `unless` and sections are supported, so a template can read only its variables, and its time and output are bounded
 * (control 88). Invalid or too large templates are returned unchanged.
 */
export async function fill(template: string, variables: Variables): Promise<string> {
  if (!template.includes('{{')) return template;
  if (template.length > templateMaxLength || codeLength(template) > codeMaxLength) return template;
  try {
    return fillProgram(await parse(template), { variables, self: '', depth: 0, spend: allowance(filledMaxLength) });
  } catch {
    // Parser and walk fail only for a text that is not a supported template.
    return template;
  }
}

/** Parsed templates, the least recently used first: most emails are filled from the same few texts. */
const parsed = new Map<string, Program>();
/** A parsed text needs about a hundred times its own memory. */
const maxParsed = 200;
const parsedMaxLength = 500;

async function parse(template: string): Promise<Program> {
  const known = parsed.get(template);
  parsed.delete(template);
  const program = known ?? (await import('handlebars')).default.parse(template);
  if (template.length <= parsedMaxLength) parsed.set(template, program);
  dropOldest(parsed, maxParsed);
  return program;
}

/** Number of characters that Handlebars would parse: from each `{{` to its end. */
export function codeLength(template: string): number {
  const [, ...tags] = template.split('{{');
  return tags.reduce((sum, tag) => sum + 2 + (tag.includes('}}') ? tag.indexOf('}}') : tag.length), 0);
}

function allowance(length: number): (text: string) => string {
  let left = length;
  return text => {
    left -= text.length;
    if (left < 0) throw new Unsupported();
    return text;
  };
}

interface Scope {
  readonly variables: Variables;
  /** The value of `this`. */
  readonly self: string;
  readonly depth: number;
  /** All output is appended here and counted. */
  readonly spend: (text: string) => string;
}

function fillProgram(program: Program | undefined, scope: Scope): string {
  if (program === undefined) return '';
  if (scope.depth > maxNesting) throw new Unsupported();
  return program.body.map(statement => filledStatement(statement, scope)).join('');
}

function filledStatement(statement: hbs.AST.Statement, scope: Scope): string {
  switch (statement.type) {
    case 'ContentStatement':
      return scope.spend((statement as hbs.AST.ContentStatement).value);
    case 'CommentStatement':
      return '';
    case 'MustacheStatement': {
      const { path, params, hash } = statement as hbs.AST.MustacheStatement;
      if (params.length > 0 || hash !== undefined) throw new Unsupported();
      return scope.spend(variableAt(path, scope));
    }
    case 'BlockStatement':
      return filledBlock(statement as hbs.AST.BlockStatement, scope);
    default:
      throw new Unsupported();
  }
}

function filledBlock({ path, params, hash, program, inverse }: hbs.AST.BlockStatement, scope: Scope): string {
  const [condition, ...others] = params;
  if (others.length > 0 || hash !== undefined) throw new Unsupported();
  const inside = { ...scope, depth: scope.depth + 1 };
  if (condition === undefined) {
    const self = variableAt(path, scope);
    return self === '' ? fillProgram(inverse, inside) : fillProgram(program, { ...inside, self });
  }
  const holds = variableAt(condition, scope) !== '';
  if (path.original !== 'if' && path.original !== 'unless') throw new Unsupported();
  return fillProgram(holds === (path.original === 'if') ? program : inverse, inside);
}

/** The variable of a path; other paths are empty. */
function variableAt(path: hbs.AST.Node, { variables, self }: Scope): string {
  if (path.type !== 'PathExpression') throw new Unsupported();
  const { parts, original, data } = path as hbs.AST.PathExpression;
  if (parts.length === 0) return original === 'this' || original === '.' ? self : '';
  const [first = '', ...rest] = data && parts[0] === 'root' ? parts.slice(1) : parts;
  return rest.length === 0 && Object.hasOwn(variables, first) ? (variables[first] ?? '') : '';
}
