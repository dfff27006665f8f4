import { bodyMaxBytes, fail, jsonMaxDepth, jsonMaxKeys } from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import { refuse } from '../refusal.ts';

const bodyLimits = { maxBytes: bodyMaxBytes, discardMaxBytes: 16 * bodyMaxBytes };

/** A shorter JSON text is parsed in a moment, however deeply it is nested. */
const quickLength = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request (docs/contract/envelope.md#body-parsing): undefined without a body, an object for JSON and
 * forms, text or bytes for the two plain types. Controls 77, 79, 81, 82.
 *
 * @throws BODY_PARSING_ERROR, a 413 when it is too large, or a 415 when it is compressed
 */
export async function readBody(request: HttpRequest): Promise<unknown> {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const type = contentType(request);
  if (type === '') return undefined;
  if (type === 'application/json') return parseJson(decode(await readBytes(request)));
  if (type === 'application/x-www-form-urlencoded') return parseForm(decode(await readBytes(request)));
  if (type === 'text/plain') return assertWellFormed(decode(await readBytes(request)), 'The body');
  if (type === 'application/octet-stream') return readBytes(request);
  return failMalformed(`The content type ${type} is not supported. Send JSON.`);
}

/** Returns whether a text has no NUL and no lone surrogate, which PostgreSQL cannot store. */
export function isWellFormedText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function contentType(request: HttpRequest): string {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

async function readBytes(request: HttpRequest): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') refuse(415, `The content encoding ${encoding} is not supported.`);
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > bodyLimits.discardMaxBytes) refuseTooLarge();
  // Reading fails only when the connection ends or the body is malformed. Both are errors of the sender.
  const bytes = await request.readBody(bodyLimits).catch(() => failMalformed('The body did not arrive in full.'));
  return bytes ?? refuseTooLarge();
}

function refuseTooLarge(): never {
  refuse(413, `The body is larger than ${bodyMaxBytes} bytes.`);
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return failMalformed('The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  if (text.length > quickLength) assertDepth(text);
  const value = parse(text);
  assertShape(value, 0);
  return value;
}

/** `JSON.parse` takes hundreds of milliseconds for a megabyte of brackets. */
function assertDepth(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = endOfText(text, index);
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > jsonMaxDepth) failTooDeep();
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
