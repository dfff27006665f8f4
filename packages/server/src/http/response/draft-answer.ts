import { setImmediate } from 'node:timers/promises';
import type { AccessLevel, Endpoint } from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import type { Log } from '../../platform/observability/log.ts';
import { ConstantJson, ResponseOverride, StreamedList } from '../bind.ts';
import { acceptsHtml } from '../request/accepts-html.ts';
import { checkAnswer } from './check-answer.ts';
import { eventStreamType, htmlType, jsonLinesType, jsonType, textType, webpType } from './content-types.ts';
import type { Draft } from './respond.ts';
import { eventOf, lineOf, listParts, streamItems } from './streams.ts';

interface AnswerContext {
  readonly level: AccessLevel | null;
  readonly request: HttpRequest;
  /** Refuses an export when too many run, and ends it when its caller loses access. */
  readonly guardExport: (items: AsyncIterable<unknown>) => AsyncIterable<unknown>;
  readonly deps: { readonly log: Log; readonly isDevelopment: boolean };
}

/** Answers that are written while they are generated. */
const streamed = new Map<Endpoint['produces'], { contentType: string; encode: (item: unknown) => string }>([
  ['json-lines', { contentType: jsonLinesType, encode: lineOf }],
  ['event-stream', { contentType: eventStreamType, encode: eventOf }],
]);

/** Turns the return value of a handler into an answer. */
export async function draftAnswer(
  endpoint: Endpoint,
  result: unknown,
  { level, request, guardExport, deps }: AnswerContext,
): Promise<Draft> {
  const override = result instanceof ResponseOverride ? result : undefined;
  const body = override === undefined ? result : override.body;
  const status = override?.options.status ?? endpoint.status ?? 200;
  const check = (value: unknown) => {
    if (deps.isDevelopment && status < 400) checkAnswer(endpoint, level, value);
  };
  const headers = override?.options.headers;
  const { cacheControl } = endpoint;
  const indent = indentFor(request);
  const stream = streamOf(endpoint, body, { check, guardExport, indent });
  if (stream !== undefined) {
    const { contentType, parts, encoding } = stream;
    const items = await streamItems(parts, encoding, deps);
    if (request.method !== 'HEAD') return { status, headers, cacheControl, contentType, body: items };
    // The generator ends before anything is sent.
    await items.cancel();
    return { status, headers, cacheControl, contentType, body: null };
  }
  if (status === 304) return { status, headers, cacheControl, contentType: undefined, body: null };
  if (body instanceof ConstantJson) return { status, headers, cacheControl, contentType: jsonType, body: body.text };
  check(body);
  const serialized = await serializeBody(endpoint, body, indent);
  return { status, headers, cacheControl, contentType: serialized.contentType, body: serialized.body };
}

/** An answer that is written while it is generated; undefined for another one. */
function streamOf(
  endpoint: Endpoint,
  body: unknown,
  {
    check,
    guardExport,
    indent,
  }: Pick<AnswerContext, 'guardExport'> & {
    readonly check: (value: unknown) => void;
    readonly indent: number | undefined;
  },
) {
  if (body instanceof StreamedList) {
    const encoding = { check: () => undefined, encode: String };
    return { contentType: jsonType, parts: listParts(body.items, { check, indent }), encoding };
  }
  const stream = streamed.get(endpoint.produces);
  if (stream === undefined) return undefined;
  const { contentType, encode } = stream;
  const items = body as AsyncIterable<unknown>;
  // The handler of an event stream, which is silent for a long time, checks the access and the places itself.
  const parts = endpoint.produces === 'json-lines' ? guardExport(items) : items;
  return { contentType, parts, encoding: { check, encode } };
}

/** A browser that opens the address gets indented JSON (docs/contract/envelope.md#request-headers). */
function indentFor(request: HttpRequest): number | undefined {
  return acceptsHtml(request) ? 2 : undefined;
}

async function serializeBody(
  endpoint: Endpoint,
  body: unknown,
  indent: number | undefined,
): Promise<Pick<Draft, 'contentType' | 'body'>> {
  if (endpoint.produces === 'text') return { contentType: textType, body: String(body) };
  if (endpoint.produces === 'webp') return { contentType: webpType, body: body as Uint8Array<ArrayBuffer> };
  if (endpoint.produces === 'html') return { contentType: htmlType, body: String(body) };
  const inParts = indent === undefined && isList(body) && isLong(body);
  return { contentType: jsonType, body: inParts ? await serializeList(body) : JSON.stringify(body, null, indent) };
}

interface List {
  readonly items: readonly object[];
}

/** Whether it is a list whose items come first, as those of most lists do. */
function isList(body: unknown): body is List {
  if (typeof body !== 'object' || body === null || !('items' in body)) return false;
  return Array.isArray(body.items) && Object.keys(body)[0] === 'items';
}

/** Other requests get a turn after this much of a list: 17 MB of metadata would stop them for a tenth of a second. */
const lengthOfTurn = 256 * 1024;
const growthOfPart = 4;

/** Judges by the first item. A list in parts takes a tenth more time, which a page of small items cannot spare. */
function isLong({ items }: List): boolean {
  return (JSON.stringify(items[0])?.length ?? 0) * items.length > lengthOfTurn;
}

/** The same text as of `JSON.stringify`. */
async function serializeList({ items, ...rest }: List): Promise<string> {
  const parts: string[] = [];
  let count = 1;
  for (let at = 0; at < items.length; ) {
    const part = JSON.stringify(items.slice(at, at + count)).slice(1, -1);
    parts.push(part);
    at += count;
    const isLong = part.length >= lengthOfTurn;
    count = isLong ? 1 : count * growthOfPart;
    if (isLong) await setImmediate();
  }
  const others = JSON.stringify(rest).slice(1);
  return `{"items":[${parts.join(',')}]${others === '}' ? '' : ','}${others}`;
}
