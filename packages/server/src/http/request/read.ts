import {
  bodyMaxBytes,
  type Endpoint,
  fail,
  jsonMaxDepth,
  jsonMaxKeys,
  jsonMaxNodes,
  largeBodyMaxBytes,
} from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import { createPacedTurns } from '../paced-turns.ts';
import { refuse } from '../refusal.ts';

const discardMaxBytes = 16 * largeBodyMaxBytes;

/** A shorter body is parsed in a moment, however deeply it is nested. */
const quickLength = 10_000;

/**
 * Parsing a body of one megabyte of small objects stops all other requests for a tenth of a second. Address blocks take
 * turns: a client that sends many large bodies delays mostly its own.
 */
const inTurn = createPacedTurns({
  expectedMs: 10,
  maxWaiting: 32,
  refusal: 'Too many large request bodies are waiting. Please try again in a moment.',
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

interface BodyReading {
  /** Whether a valid body may be larger than `bodyMaxBytes`. Default: no. */
  readonly largeBody?: Endpoint['largeBody'] | undefined;
  /** The address block that large bodies are charged to. */
  readonly sender: () => string;
}

/**
 * Reads the body of a request (docs/contract/envelope.md#body-parsing): undefined without a body, an object for JSON and
 * forms, text or bytes for the two plain types. Controls 77, 79, 81, 82.
 *
 * @throws BODY_PARSING_ERROR, a 413 when it is too large, a 415 when it is compressed, or a 429 when it is large and too
 *   many others wait
 */
export async function readBody(request: HttpRequest, { largeBody, sender }: BodyReading): Promise<unknown> {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const type = contentType(request);
  if (type === '') return undefined;
  const parse = parsers.get(type);
  if (parse === undefined) return failMalformed(`The content type ${type} is not supported. Send JSON.`);
  const bytes = await readBytes(request, largeBody === true ? largeBodyMaxBytes : bodyMaxBytes);
  return bytes.byteLength <= quickLength ? parse(bytes) : inTurn(sender(), () => parse(bytes));
}

const parsers = new Map<string, (bytes: Uint8Array) => unknown>([
  ['application/json', bytes => parseJson(decode(bytes))],
  ['application/x-www-form-urlencoded', bytes => parseForm(decode(bytes))],
  ['text/plain', bytes => assertWellFormed(decode(bytes), 'The body')],
  ['application/octet-stream', bytes => bytes],
]);

/** Returns whether a text has no NUL and no lone surrogate, which PostgreSQL cannot store. */
export function isWellFormedText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function contentType(request: HttpRequest): string {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

async function readBytes(request: HttpRequest, maxBytes: number): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') refuse(415, `The content encoding ${encoding} is not supported.`);
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > discardMaxBytes) refuseTooLarge(maxBytes);
  // Reading fails only when the connection ends or the body is malformed. Both are errors of the sender.
  const limits = { maxBytes, discardMaxBytes };
  const bytes = await request.readBody(limits).catch(() => failMalformed('The body did not arrive in full.'));
  return bytes ?? refuseTooLarge(maxBytes);
}

function refuseTooLarge(maxBytes: number): never {
  refuse(413, `The body is larger than ${maxBytes} bytes.`);
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return failMalformed('The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  if (text.length > quickLength) assertParsable(text);
  const value = parse(text);
  assertShape(value, 0);
  return value;
}

/** `JSON.parse` and the garbage collector take hundreds of milliseconds for a megabyte of brackets or short keys. */
function assertParsable(text: string): void {
  let depth = 0;
  let nodes = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = endOfText(text, index);
    else if (character === ']' || character === '}') depth--;
    else if (character === '[' || character === '{' || character === ':') {
      if (character !== ':') depth++;
      nodes++;
      if (depth > jsonMaxDepth) failTooDeep();
      if (nodes > jsonMaxNodes) failMalformed(`The body has more than ${jsonMaxNodes} objects, lists and keys.`);
    }
  }
}

/** The place of the quotation mark that ends a text of JSON. A search is ten times as fast as a look at each character. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let last = end - 1;
    while (json[last] === '\\') last--;
    // An even number of backslashes: none of them belongs to the mark.
    if ((end - last) % 2 === 1) return end;
  }
  return json.length;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return failMalformed('The body is not valid JSON.');
  }
}

/** Parses a form into a flat object of strings. The last value of a repeated name wins. */
function parseForm(text: string): Record<string, string> {
  if (text.split('&', jsonMaxKeys + 1).length > jsonMaxKeys) {
    failMalformed(`The form in the body has more than ${jsonMaxKeys} fields.`);
  }
  const entries = [...new URLSearchParams(text)];
  for (const [name, value] of entries) {
    assertWellFormed(name, 'A name');
    assertWellFormed(value, 'A value');
  }
  // Without an escape there is nothing to replace: the bytes of the body were UTF-8.
  if (text.includes('%')) assertNoneReplaced(entries.flat().join(''), text);
  return Object.fromEntries(entries);
}

/** The parser puts U+FFFD in place of escaped bytes that are not UTF-8. */
function assertNoneReplaced(parsed: string, text: string): void {
  if (!parsed.includes('\uFFFD')) return;
  const sent = text.split(/\uFFFD|%EF%BF%BD/i).length;
  if (parsed.split('\uFFFD').length > sent) failMalformed('The form in the body is not UTF-8.');
}

function assertShape(value: unknown, depth: number): void {
  if (typeof value === 'string') assertWellFormed(value, 'A text');
  if (typeof value !== 'object' || value === null) return;
  if (depth >= jsonMaxDepth) failTooDeep();
  const children = Array.isArray(value) ? value : valuesOf(value);
  for (const child of children) assertShape(child, depth + 1);
}

function failTooDeep(): never {
  failMalformed(`The body is nested deeper than ${jsonMaxDepth} levels.`);
}

function valuesOf(object: object): unknown[] {
  const entries = Object.entries(object);
  if (entries.length > jsonMaxKeys) failMalformed(`An object in the body has more than ${jsonMaxKeys} keys.`);
  return entries.map(([key, value]) => {
    assertWellFormed(key, 'A key');
    return value;
  });
}

function assertWellFormed(text: string, what: string): string {
  return isWellFormedText(text)
    ? text
    : failMalformed(`${what} in the body holds a NUL character or half a surrogate pair.`);
}

function failMalformed(message: string): never {
  fail('BODY_PARSING_ERROR', undefined, { message });
}
