import { bodyMaxBytes, fail, jsonMaxDepth, jsonMaxKeys } from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import { refuse } from '../refusal.ts';

const bodyLimits = { maxBytes: bodyMaxBytes, discardMaxBytes: 16 * bodyMaxBytes };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request (docs/contract/envelope.md#body-parsing): undefined without a body, an object for JSON and
 * forms, text or bytes for the two plain types. Controls 77, 79, 81, 82.
 *
 * @throws BODY_PARSING_ERROR, or a 413 when it is too large
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
  const value = parse(text);
  assertShape(value);
  return value;
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
  const entries = [...new URLSearchParams(text)];
  for (const [name, value] of entries) {
    assertWellFormed(name, 'A name');
    assertWellFormed(value, 'A value');
  }
  return Object.fromEntries(entries);
}

/** Walks without recursion, so a deeply nested body cannot exhaust the stack before it is refused. */
function assertShape(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') assertWellFormed(value, 'A text');
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= jsonMaxDepth) failMalformed(`The body is nested deeper than ${jsonMaxDepth} levels.`);
    const children = Array.isArray(value) ? value : valuesOf(value);
    for (const child of children) open.push({ value: child, depth: depth + 1 });
  }
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
