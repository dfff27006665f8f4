import { createHash } from 'node:crypto';

/** A query: text with `$1` placeholders, and the name under which the connection keeps it prepared. */
export class Statement {
  constructor(
    /** Undefined for a statement that is planned anew each time. */
    readonly name: string | undefined,
    readonly text: string,
    readonly values: unknown[],
    /** What it was written as, so that it can stand inside another one. */
    private readonly parts: readonly string[],
    private readonly given: readonly unknown[],
  ) {}

  /** The parts and values with every statement inside spread out. */
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

interface Prepared {
  readonly name: string;
  readonly text: string;
  /** Statements without values that stand inside; while they are the same, so is the text. */
  readonly constants: readonly (Statement | undefined)[];
}

/** Templates live as long as the module that holds them, so each is turned into text once. */
const known = new WeakMap<TemplateStringsArray, Prepared>();

/**
 * SQL with parameters, prepared once per connection. Values are always parameters, never text. A statement may stand
 * inside another one: a list of columns that several queries share, a condition that is there or not.
 * Control 83.
 *
 * @example sql`select id from users where project_id = ${projectId} and id = ${userId}`
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  const prepared = known.get(strings);
  if (prepared !== undefined && isSame(prepared, values)) {
    const { name, text, constants } = prepared;
    return new Statement(name, text, constants.length === 0 ? values : values.filter(isParameter), strings, values);
  }
  return prepare(strings, values);
}

/** The same statement without a name: planned for its very values, where these decide which plan is good. */
export function unprepared(statement: Statement): Statement {
  const { parts, values } = statement.spread();
  return new Statement(undefined, statement.text, values, parts, values);
}

function prepare(strings: TemplateStringsArray, values: unknown[]): Statement {
  const spread = new Statement(undefined, '', [], strings, values).spread();
  const text = spread.parts.reduce((joined, part, index) => `${joined}$${index}${part}`);
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const inner = values.filter(value => value instanceof Statement);
  const hasConstantText = inner.every(statement => statement.spread().values.length === 0);
  if (hasConstantText) {
    const constants = inner.length === 0 ? [] : values.map(value => (value instanceof Statement ? value : undefined));
    known.set(strings, { name, text, constants });
  }
  return new Statement(name, text, spread.values, strings, values);
}

function isSame({ constants }: Prepared, values: readonly unknown[]): boolean {
  if (constants.length === 0) return values.every(isParameter);
  return constants.every((constant, index) =>
    constant === undefined ? isParameter(values[index]) : constant === values[index],
  );
}

function isParameter(value: unknown): boolean {
  return !(value instanceof Statement);
}
