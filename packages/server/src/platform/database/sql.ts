import { createHash } from 'node:crypto';
import type { Json } from '@tessera/protocol';

/** A query: text with `$1` placeholders, and the name under which the connection keeps it prepared. */
export class Statement {
  constructor(
    /** Undefined for a statement that is planned at each execution. */
    readonly name: string | undefined,
    readonly text: string,
    readonly values: unknown[],
    /** The template strings and their values, so that the statement can be part of another one. */
    readonly parts: readonly string[],
    readonly given: readonly unknown[],
    /** The rows may have this many bytes; no limit by default. @throws ResultTooLarge */
    readonly maxResultBytes: number = Number.POSITIVE_INFINITY,
  ) {}

  /** The same statement with a limit for the bytes of its rows. */
  withMaxResult(bytes: number): Statement {
    return new Statement(this.name, this.text, this.values, this.parts, this.given, bytes);
  }

  /** The template strings and values, with each inner statement inlined. */
  spread(): { parts: string[]; values: unknown[] } {
    const parts = [this.parts[0] ?? ''];
    const values: unknown[] = [];
    this.given.forEach((value, index) => {
      const after = this.parts[index + 1] ?? '';
      if (!(value instanceof Statement)) {
        values.push(value);
        parts.push(after);
        return;
      }
      const inner = value.spread();
      parts[parts.length - 1] += inner.parts[0] ?? '';
      parts.push(...inner.parts.slice(1));
      parts[parts.length - 1] += after;
      values.push(...inner.values);
    });
    return { parts, values };
  }
}

/** Which values of a template are statements, and their templates; undefined for a parameter. It determines the text. */
type Shape = readonly (InnerShape | undefined)[];

interface InnerShape {
  readonly parts: readonly string[];
  readonly inner: Shape;
}

interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly shape: Shape;
  readonly hasInner: boolean;
}

/** Templates live as long as their module, so the text of each is built once for the statements in it. */
const known = new WeakMap<TemplateStringsArray, Prepared>();

/**
 * SQL with parameters, prepared once per connection. Values are always parameters, never text. A statement may be part of
 * another one: a list of columns that several queries share, or an optional condition.
 * Control 83.
 *
 * PostgreSQL plans a prepared statement anew at each execution while a plan for the actual values is estimated cheaper
 * than one for any values. The length of an array or a limit has this effect, and the planning takes several times as
 * long as an index lookup. Statements that run often hide such a value from the planner: `(select ${ids}::uuid[])`.
 *
 * @example sql`select id from users where project_id = ${projectId} and id = ${userId}`
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  const prepared = known.get(strings);
  if (prepared === undefined || !hasShape(values, prepared.shape)) return prepare(strings, values);
  const { name, text, hasInner } = prepared;
  return new Statement(name, text, hasInner ? parametersOf(values) : values, strings, values);
}

/** The same statement without a name: it is planned for its actual values, where the best plan depends on them. */
export function withoutName(statement: Statement): Statement {
  const { parts, values } = statement.spread();
  return new Statement(undefined, statement.text, values, parts, values);
}

/** A text for a pattern of `like`, in which its wildcards match themselves (control 84). */
export function escapeWildcards(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** JSON `null` is stored as SQL null; both are read as null. */
export function jsonText(value: Json | undefined): string | null {
  return value == null ? null : JSON.stringify(value);
}

function prepare(strings: TemplateStringsArray, values: unknown[]): Statement {
  const spread = new Statement(undefined, '', [], strings, values).spread();
  const text = spread.parts.reduce((joined, part, index) => `${joined}$${index}${part}`);
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const hasInner = values.some(value => value instanceof Statement);
  known.set(strings, { name, text, shape: shapeOf(values), hasInner });
  return new Statement(name, text, spread.values, strings, values);
}

function shapeOf(values: readonly unknown[]): Shape {
  return values.map(value =>
    value instanceof Statement ? { parts: value.parts, inner: shapeOf(value.given) } : undefined,
  );
}

function hasShape(values: readonly unknown[], shape: Shape): boolean {
  return values.every((value, index) => {
    const expected = shape[index];
    if (!(value instanceof Statement)) return expected === undefined;
    return value.parts === expected?.parts && hasShape(value.given, expected.inner);
  });
}

/** The values that are no statements, those of inner statements included, in the order of their placeholders. */
function parametersOf(values: readonly unknown[], found: unknown[] = []): unknown[] {
  for (const value of values) {
    if (value instanceof Statement) parametersOf(value.given, found);
    else found.push(value);
  }
  return found;
}
