import dns from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { outboundMaxBytes, outboundMaxRedirects, outboundTimeoutMs, parseUrl } from '@tessera/protocol';
import ipaddr from 'ipaddr.js';

export interface OutboundOptions {
  /** Ranges that are reachable besides public addresses: `10.0.0.0/8`, `fd00::/8`, or one address. */
  readonly allow: readonly string[];
  /** Returns all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** The time limit of a whole request: name resolution, connection, redirects and response. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface Outbound {
  /**
   * `fetch` for addresses that customers set (control 86): http and https only, and public addresses only. Each name is
   * resolved once and the connection goes to the checked address. Each redirect is checked like the first address.
   *
   * @throws OutboundError when the request fails; `AbortError` when the caller aborts
   */
  readonly fetch: typeof fetch;
  /** False for a URL that is refused without name resolution: a wrong scheme, a denied address. */
  mayAsk(url: string): boolean;
  close(): void;
}

export type OutboundReason = 'scheme' | 'address' | 'name' | 'timeout' | 'size' | 'redirect' | 'connection';

/** The reason why an outbound request has no response. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly reason: OutboundReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const loopbackRanges = ['127.0.0.0/8', '::1/128'];

/** Shorter than the five seconds after which Node servers close idle connections. */
const idleConnectionMs = 4_000;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const bodilessStatuses = new Set([101, 204, 205, 304]);
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** The WireServer of Azure. Its address looks public, but answers inside each virtual machine, with settings of the machine. */
const azurePlatform = '168.63.129.16';

export function createOutbound(options: OutboundOptions): Outbound {
  const permits = addressCheck(options.allow);
  const resolve = options.resolve ?? resolveName;
  const limits = {
    timeoutMs: options.timeoutMs ?? outboundTimeoutMs,
    maxBytes: options.maxBytes ?? outboundMaxBytes,
  };
  const kept = { keepAlive: true, timeout: idleConnectionMs };
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) };
  const lookup = pinnedLookup(resolve, permits);

  async function send(hop: Hop, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { url, method, headers, body } = hop;
    assertMayRequest(url, permits);
    const isHttps = url.protocol === 'https:';
    const agent = isHttps ? agents['https:'] : agents['http:'];
    return new Promise((done, failed) => {
      const ask = isHttps ? https.request : http.request;
      const request = ask(url, { method, headers: Object.fromEntries(headers), agent, lookup, signal });
      request.on('response', done);
      request.on('error', failed);
      request.end(body);
    });
  }

  async function follow(first: Hop, redirect: Request['redirect'], signal: AbortSignal): Promise<Response> {
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      const message = await send(hop, signal);
      const location = redirectStatuses.has(message.statusCode ?? 0) ? message.headers.location : undefined;
      if (location === undefined || redirect === 'manual') {
        return toResponse(message, limits.maxBytes, signal);
      }
      message.destroy();
      if (redirect === 'error') throw new OutboundError('redirect', 'the answer is a redirect');
      if (redirects >= outboundMaxRedirects) throw new OutboundError('redirect', 'too many redirects');
      hop = nextHop(hop, message.statusCode ?? 0, location);
    }
  }

  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.timeoutMs)]);
      try {
        return await follow(await createHop(request), request.redirect, signal);
      } catch (error) {
        throw translate(error, signal);
      }
    },
    mayAsk: text => {
      const url = parseUrl(text);
      return url !== undefined && findRefusal(url, permits) === undefined;
    },
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** True for a value that `TESSERA_OUTBOUND_ALLOW` accepts. */
export function isAddressRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

/** Whether an address is reachable: a public one, or one of an allowed range. */
export function addressCheck(allow: readonly string[]): (address: string) => boolean {
  const ranges = allow.map(rangeOf);
  return text => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    return isPublic(address) || ranges.some(range => isWithin(address, range));
  };
}

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Every address that is not plainly public is refused, also one that embeds another (mapped, 6to4, NAT64). */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === azurePlatform) return false;
  return address.kind() === 'ipv4' || isWithin(address, globalUnicast);
}

function isWithin(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

async function resolveName(hostname: string): Promise<string[]> {
  const found = await dns.lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Connects only to addresses that were checked, so a name cannot change between check and connection. */
function pinnedLookup(
  resolve: (hostname: string) => Promise<readonly string[]>,
  permits: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      found => {
        const addresses = found.filter(permits).map(address => ({ address, family: addressFamily(address) }));
        const [first] = addresses;
        if (first === undefined) return callback(createDeniedError(hostname), '', 0);
        if (options.all === true) return callback(null, addresses);
        callback(null, first.address, first.family);
      },
      (cause: unknown) => {
        callback(new OutboundError('name', `${hostname} was not found`, { cause }), '', 0);
      },
    );
  };
}

function addressFamily(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}

function createDeniedError(hostname: string): OutboundError {
  return new OutboundError('address', `${hostname} is not a public address`);
}

function assertMayRequest(url: URL, permits: (address: string) => boolean): void {
  const refusal = findRefusal(url, permits);
  if (refusal !== undefined) throw refusal;
}

/** Numeric addresses need no lookup, so they are checked here; the URL parser has normalised them. */
function findRefusal(url: URL, permits: (address: string) => boolean): OutboundError | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return new OutboundError('scheme', `${url.protocol} is not http or https`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) && !permits(host) ? createDeniedError(host) : undefined;
}

/** One request of a redirect chain. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

async function createHop(request: Request): Promise<Hop> {
  const headers = new Headers(request.headers);
  // The body is passed on unchanged, so it must not be compressed.
  headers.set('accept-encoding', 'identity');
  if (!headers.has('accept')) headers.set('accept', '*/*');
  if (!headers.has('user-agent')) headers.set('user-agent', 'Tessera');
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  return { url: new URL(request.url), method: request.method, headers, body };
}

/** The Fetch standard's HTTP-redirect fetch; redirects from https to http are refused. */
function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = parseUrl(location, hop.url);
  if (url === undefined) throw new OutboundError('redirect', 'a redirect to nowhere');
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new OutboundError('redirect', 'a redirect from https to http');
  }
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin) for (const name of ['authorization', 'cookie']) headers.delete(name);
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  if (!becomesGet) return { ...hop, url, headers };
  for (const name of ['content-type', 'content-length', 'content-encoding', 'content-language']) headers.delete(name);
  return { url, method: 'GET', headers, body: undefined };
}

function toResponse(message: http.IncomingMessage, maxBytes: number, signal: AbortSignal): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
  }
  if (status < 200 || status > 599) {
    message.destroy();
    throw new OutboundError('connection', `the answer has the status ${status}`);
  }
  if (bodilessStatuses.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const body = Readable.toWeb(Readable.from(limitSize(message, maxBytes, signal), { objectMode: false }));
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers });
}

async function* limitSize(
  message: http.IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of message) {
      size += chunk.length;
      if (size > maxBytes) throw new OutboundError('size', `the answer is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw translate(error, signal);
  } finally {
    message.destroy();
  }
}

function translate(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason?.name === 'TimeoutError' ? createTimeoutError() : signal.reason;
  if (error instanceof OutboundError || !(error instanceof Error)) return error;
  if (error instanceof AggregateError) return translate(error.errors[0], signal);
  const code = 'code' in error ? String(error.code) : error.name;
  return new OutboundError('connection', `the connection failed: ${code}`, { cause: error });
}

function createTimeoutError(): OutboundError {
  return new OutboundError('timeout', 'there was no answer in time');
}
