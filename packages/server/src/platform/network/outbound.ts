import http from 'node:http';
import https from 'node:https';
import { outboundTimeoutMs, parseUrl } from '@tessera/protocol';
import ipaddr from 'ipaddr.js';
import { pinnedLookup } from './pinned-lookup.ts';
import type { ResolveName } from './resolve-name.ts';

export interface OutboundOptions {
  /** Ranges that are reachable besides public addresses: `10.0.0.0/8`, `fd00::/8`, or one address. */
  readonly allow: readonly string[];
  /** Returns all addresses of a name. Default: that of `pinnedLookup`. */
  readonly resolve?: ResolveName;
  /** The time limit of a whole request: name resolution, connection and response. */
  readonly timeoutMs?: number;
}

export interface OutboundPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The connection is closed after this many bytes of the response body. */
  readonly maxAnswerBytes: number;
}

export interface OutboundAnswer {
  readonly status: number;
  /** The beginning of the response body. */
  readonly body: Buffer;
}

export interface Outbound {
  /**
   * Sends a request to an address that a customer set (control 86): http and https only, and public addresses only. Each
   * name is resolved once and the connection goes to the checked address. A redirect is an answer, and is not followed.
   *
   * @throws OutboundError when there is no whole answer
   */
  post(url: string, request: OutboundPost): Promise<OutboundAnswer>;
  /** False for a URL that is refused without name resolution: a wrong scheme, a denied address. */
  mayAsk(url: string): boolean;
  close(): void;
}

export type OutboundReason = 'scheme' | 'address' | 'name' | 'timeout' | 'connection';

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
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** The WireServer of Azure. Its address looks public, but answers inside each virtual machine, with settings of the machine. */
const azurePlatform = '168.63.129.16';

export function createOutbound(options: OutboundOptions): Outbound {
  const permits = addressCheck(options.allow);
  const timeoutMs = options.timeoutMs ?? outboundTimeoutMs;
  const kept = { keepAlive: true, timeout: idleConnectionMs };
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) };
  const lookup = pinnedLookup({
    resolve: options.resolve,
    permits,
    denied: createDeniedError,
    notFound: (hostname, cause) => new OutboundError('name', `${hostname} was not found`, { cause }),
  });

  async function post(text: string, { headers, body, maxAnswerBytes }: OutboundPost): Promise<OutboundAnswer> {
    const url = new URL(text);
    assertMayRequest(url, permits);
    const isHttps = url.protocol === 'https:';
    const agent = isHttps ? agents['https:'] : agents['http:'];
    // The body is kept as it is, so it must not be compressed.
    const all = { accept: '*/*', 'accept-encoding': 'identity', ...headers };
    const request = (isHttps ? https : http).request(url, { method: 'POST', headers: all, agent, lookup });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      request.destroy(createTimeoutError());
    }, timeoutMs);
    try {
      return await readAnswer(request.end(body), maxAnswerBytes);
    } catch (error) {
      throw isLate ? createTimeoutError() : translate(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    post,
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

function createDeniedError(hostname: string): OutboundError {
  return new OutboundError('address', `${hostname} is not a public address`);
}

function assertMayRequest(url: URL, permits: (address: string) => boolean): void {
  if (url.username !== '' || url.password !== '') throw new OutboundError('scheme', 'the address has a password');
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

function readAnswer(request: http.ClientRequest, maxBytes: number): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // Without this listener Node closes the connection of a 101 and emits no error.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new OutboundError('connection', 'the answer has the status 101'));
    });
    request.on('response', message => {
      const status = message.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () => resolve({ status, body: Buffer.concat(chunks).subarray(0, maxBytes) });
      message.on('error', reject);
      message.on('end', finish);
      message.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size < maxBytes) return;
        finish();
        message.destroy();
      });
      if (status < 200 || status > 599) {
        message.destroy(new OutboundError('connection', `the answer has the status ${status}`));
      }
    });
  });
}

function translate(error: unknown): unknown {
  if (error instanceof OutboundError || !(error instanceof Error)) return error;
  if (error instanceof AggregateError) return translate(error.errors[0]);
  const code = 'code' in error ? String(error.code) : error.name;
  return new OutboundError('connection', `the connection failed: ${code}`, { cause: error });
}

function createTimeoutError(): OutboundError {
  return new OutboundError('timeout', 'there was no answer in time');
}
