import type * as z from 'zod';

type Coercion = (value: unknown) => unknown;

const identity: Coercion = value => value;
const digits = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const toText: Coercion = value => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
const toNumber: Coercion = value => (typeof value === 'string' && digits.test(value) ? Number(value) : value);

function toFlag(value: unknown): unknown {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  return value;
}

/**
 * The lenient conversion of scalars before validation (docs/contract/envelope.md#validation): a numeric string becomes a
 * number; `"true"`, `"false"`, `"1"` and `"0"` a boolean; numbers and booleans a string. Objects and arrays are never
 * converted to scalars, and values without a declared type (metadata) are not changed.
 */
export function coercionOf(schema: z.core.$ZodType): Coercion {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'string':
      return toText;
    case 'number':
      return toNumber;
    case 'boolean':
      return toFlag;
    case 'object':
      return inObject(def.shape);
    case 'array':
      return inArray(coercionOf(def.element));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return coercionOf(def.innerType);
    case 'pipe':
      return coercionOf(def.in);
    case 'enum':
      return toText;
    case 'literal':
      return def.values.every(value => typeof value === 'boolean') ? toFlag : identity;
    case 'union':
      return inUnion(def.options);
    default:
      return identity;
  }
}

function inObject(shape: Readonly<Record<string, z.core.$ZodType>>): Coercion {
  const fields = Object.entries(shape)
    .map(([key, field]) => [key, coercionOf(field)] as const)
    .filter(([, coercion]) => coercion !== identity);
  if (fields.length === 0) return identity;
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const changed = fields.filter(([key, coercion]) => {
      const given = (value as Record<string, unknown>)[key];
      return given !== undefined && coercion(given) !== given;
    });
    if (changed.length === 0) return value;
    const copy: Record<string, unknown> = { ...value };
    for (const [key, coercion] of changed) copy[key] = coercion(copy[key]);
    return copy;
  };
}

function inArray(element: Coercion): Coercion {
  if (element === identity) return identity;
  return value => (Array.isArray(value) ? value.map(element) : value);
}

/** A union is not converted unless all its options convert alike: before validation the option is unknown. */
function inUnion(options: readonly z.core.$ZodType[]): Coercion {
  const [first, ...rest] = options.map(coercionOf);
  return first !== undefined && rest.every(other => other === first) ? first : identity;
}
