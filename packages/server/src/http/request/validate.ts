import {
  type AccessLevel,
  accessLevels,
  atLevel,
  coercionOf,
  type Endpoint,
  fail,
  type Leveled,
  userIdOrMe,
  violationMaxLength,
  violationsListedMax,
} from '@tessera/protocol';
import * as z from 'zod';
import type { HttpHeaders } from '../../core/http-request.ts';
import { isWellFormedText } from './read.ts';

/** The parts of a request before validation. */
export interface RawInput {
  /** The URL, for error messages. */
  readonly url: string;
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly headers: HttpHeaders;
  readonly body: unknown;
}

export interface ValidInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

type Place = keyof ValidInput;
type Check = (value: unknown, violations: string[]) => unknown;

export interface Validator {
  /** The user that a request names: an id, or `me` (docs/contract/envelope.md#the-user-of-the-request). */
  namedUser(input: Pick<RawInput | ValidInput, 'params' | 'query' | 'body'>): string | undefined;
  /** @throws SCHEMA_ERROR with every violation, in the format of docs/contract/envelope.md#validation */
  validate(raw: RawInput, caller: { level: AccessLevel | null; hasUser: boolean }): ValidInput;
}

/** Compiles the checks of an endpoint once, for each level. Control 90. */
export function createValidator(endpoint: Endpoint): Validator {
  const checksByLevel = new Map([null, ...accessLevels].map(level => [level, createChecks(endpoint, level)]));
  const userIdKeys = findUserIdKeys(endpoint);

  return {
    namedUser(input) {
      const values = userIdKeys.map(({ place, key }) => valueAt(input[place], key));
      return values.find(value => typeof value === 'string');
    },
    validate(raw, { level, hasUser }) {
      const violations: string[] = [];
      if (endpoint.user === 'required' && !hasUser) violations.push('auth.user must be defined');
      const checks = checksByLevel.get(level);
      const valid = {
        params: checks?.params?.(raw.params, violations),
        query: checks?.query?.(raw.query, violations),
        headers: checks?.headers?.(readDeclaredHeaders(endpoint, raw.headers), violations),
        body: checks?.body?.(raw.body, violations),
      };
      if (violations.length > 0) fail('SCHEMA_ERROR', { message: describe(endpoint, raw.url, violations) });
      return valid;
    },
  };
}

/** Reads only declared headers: a lookup is cheap, and listing all headers copies them. */
function readDeclaredHeaders(endpoint: Endpoint, headers: HttpHeaders): Record<string, string> {
  const found = Object.keys(endpoint.headers?.shape ?? {}).map(name => [name, headers.get(name)] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
}

function createChecks(endpoint: Endpoint, level: AccessLevel | null): Partial<Record<Place, Check>> {
  return {
    params: createCheck('params', endpoint.params, level),
    query: createCheck('query', endpoint.query, level),
    headers: createCheck('headers', endpoint.headers, level),
    body: createCheck('body', endpoint.body, level),
  };
}

function createCheck(
  place: Place,
  declared: Leveled<z.ZodType> | undefined,
  level: AccessLevel | null,
): Check | undefined {
  if (declared === undefined) return undefined;
  const schema = atLevel(declared, level);
  const coerce = coercionOf(schema);
  const takesBytes = schema instanceof z.ZodUnknown;
  return (value, violations) => {
    const result = schema.safeParse(takesBytes ? value : coerce(hideBytes(value)), { reportInput: true });
    if (result.success) return result.data;
    for (const violation of describeIssues(place, result.error.issues)) violations.push(violation);
    return undefined;
  };
}

/** Zod sees bytes as an object with numeric keys, and zero bytes as an empty object. A text fails the schema instead. */
function hideBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}

/** The first line contains the path as the caller wrote it (docs/contract/envelope.md#base-path). */
function describe({ method }: { readonly method: string }, url: string, violations: readonly string[]): string {
  const heading = `The request does not fit ${method} ${new URL(url).pathname}:`;
  return [heading, ...violations.map(violation => `  - ${violation}`)].join('\n');
}

function describeIssues(place: Place, issues: readonly z.core.$ZodIssue[]): string[] {
  const { listed, others } = listIssues(issues);
  const described = listed.flatMap(issue => describeIssue(place, issue)).map(shorten);
  return others > 0 ? [...described, `${place} has ${others} more violations`] : described;
}

/** A description has names that the caller chose: of a megabyte of unknown keys the answer would be twice its size. */
function shorten(description: string): string {
  return description.length <= violationMaxLength ? description : `${description.slice(0, violationMaxLength)}…`;
}

/**
 * The issues to describe, and the number of others. A small body can have hundreds of thousands of issues, whose
 * description would be a hundred times its size.
 */
export function listIssues<Issue>(issues: readonly Issue[]): { listed: readonly Issue[]; others: number } {
  return { listed: issues.slice(0, violationsListedMax), others: Math.max(0, issues.length - violationsListedMax) };
}

function describeIssue(place: Place, issue: z.core.$ZodIssue): string[] {
  const path = formatPath(place, issue.path);
  if (issue.code === 'invalid_union') return describeUnion(place, path, issue);
  return [`${path} ${describePredicate(issue)}`];
}

function describePredicate(issue: z.core.$ZodIssue): string {
  if ('input' in issue && issue.input === undefined && issue.code !== 'unrecognized_keys') return 'must be defined';
  if ('input' in issue && issue.input === null) return 'cannot be null';
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'must be an integer' : `must be a \`${issue.expected}\` type`;
    case 'too_big':
      return describeSize(issue, issue.maximum, { ofNumbers: 'less than or equal to', ofLengths: 'at most' });
    case 'too_small':
      return describeSize(issue, issue.minimum, { ofNumbers: 'greater than or equal to', ofLengths: 'at least' });
    case 'unrecognized_keys':
      return `contains unknown properties: ${issue.keys.join(', ')}`;
    case 'invalid_value':
      return `must be one of the following values: ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message;
  }
}

function describeSize(
  { origin, exact }: Pick<z.core.$ZodIssueTooBig, 'origin' | 'exact'>,
  limit: number | bigint,
  words: { readonly ofNumbers: string; readonly ofLengths: string },
): string {
  if (origin === 'number' || origin === 'int') return `must be ${words.ofNumbers} ${limit}`;
  const unit = origin === 'string' ? 'characters' : 'items';
  return `must be ${exact === true ? 'exactly' : words.ofLengths} ${limit} ${unit}`;
}

/** The violations of the union option with the closest match. */
function describeUnion(place: Place, path: string, issue: z.core.$ZodIssueInvalidUnion): string[] {
  const [closest] = [...issue.errors].sort((one, other) => one.length - other.length);
  if (closest === undefined || closest.length === 0) return [`${path} has none of the accepted forms`];
  return listIssues(closest).listed.flatMap(inner =>
    describeIssue(place, { ...inner, path: [...issue.path, ...inner.path] }),
  );
}

/** Formats a path, such as `body.config.domains[0].domain`. */
function formatPath(place: Place, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    place,
  );
}

/** The keys of an endpoint that accept a user id or `me`. */
function findUserIdKeys(endpoint: Endpoint): { place: 'params' | 'query' | 'body'; key: string }[] {
  return (['params', 'query', 'body'] as const).flatMap(place => {
    const declared = endpoint[place];
    const schema = declared === undefined ? undefined : atLevel<z.ZodType>(declared, 'admin');
    if (!(schema instanceof z.ZodObject)) return [];
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
    return fields.filter(([, field]) => acceptsMe(field)).map(([key]) => ({ place, key }));
  });
}

function acceptsMe(field: z.ZodType): boolean {
  if (field === userIdOrMe) return true;
  return field instanceof z.ZodOptional && field.unwrap() === userIdOrMe;
}

function valueAt(part: unknown, key: string): unknown {
  if (typeof part !== 'object' || part === null) return undefined;
  return Object.hasOwn(part, key) ? (part as Record<string, unknown>)[key] : undefined;
}

/**
 * Validates a part of a body in the handler, where the contract requires other checks first.
 *
 * @param context `at` is the path of the part in the body
 * @throws SCHEMA_ERROR in the same format as the validator
 */
export function validatePart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { endpoint, url, at }: { endpoint: Endpoint; url: string; at: readonly string[] },
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map(issue => ({ ...issue, path: [...at, ...issue.path] }));
  fail('SCHEMA_ERROR', { message: describe(endpoint, url, describeIssues('body', issues)) });
}

/** Refuses a value that the schema accepts and the handler does not. @throws SCHEMA_ERROR in the same format as the validator */
export function refuseInput(request: Pick<Request, 'method' | 'url'>, violation: string): never {
  fail('SCHEMA_ERROR', { message: describe(request, request.url, [violation]) });
}

/** Refuses a path or query with text that no field accepts. @throws SCHEMA_ERROR */
export function assertReadable(endpoint: Endpoint, raw: Pick<RawInput, 'url' | 'params' | 'query'>): void {
  const unreadable = (['params', 'query'] as const).flatMap(place =>
    Object.entries(raw[place])
      .filter(([key, value]) => !isWellFormedText(key) || !isWellFormedText(value))
      .map(([key]) => `${place}.${key.replaceAll('\0', '')} holds a NUL character or half a surrogate pair`),
  );
  if (unreadable.length > 0) fail('SCHEMA_ERROR', { message: describe(endpoint, raw.url, unreadable) });
}
