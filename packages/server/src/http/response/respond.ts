import { corsHeaders, noStore, responseHeaders, securityHeaders } from '@tessera/protocol';
import type { Failure } from './failures.ts';
import { linesOf, type Reply, withoutReplaced } from './reply.ts';

/** An answer without its headers. */
export interface Draft {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Reply['body'];
  readonly headers?: Reply['headers'] | undefined;
  readonly cacheControl?: string | undefined;
}

export interface ResponseStyle {
  readonly requestId: string;
  /** `x-stack-override-error-status` was sent (docs/contract/envelope.md#status-override). */
  readonly overridesStatus: boolean;
  readonly isHttps: boolean;
  /** The `Date` header: the time of the database, from which clients correct their clocks. */
  readonly date: string;
}

const strictTransport = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/**
 * The headers of every answer, inside and outside the API (docs/contract/envelope.md#response-headers,
 * docs/contract/decisions.md#service). Controls 76, 78.
 */
export function commonHeaders(isHttps: boolean): Record<string, string> {
  return { ...securityHeadersOf(isHttps), 'cache-control': noStore };
}

function securityHeadersOf(isHttps: boolean): Record<string, string> {
  return { ...securityHeaders, ...(isHttps ? strictTransport : undefined) };
}

const apiHeaders = linesOf({ ...securityHeadersOf(false), ...corsHeaders });
const secureApiHeaders = linesOf({ ...securityHeadersOf(true), ...corsHeaders });

/** Builds every response of the API. */
export function respond(draft: Draft, style: ResponseStyle): Reply {
  const isOverridden = style.overridesStatus && draft.status >= 400 && draft.status <= 599;
  const common = style.isHttps ? secureApiHeaders : apiHeaders;
  const headers: Record<string, string | readonly string[]> = {
    [responseHeaders.requestId]: style.requestId,
    // Without it Node sends the clock of this machine, which may be wrong: a client would then think its tokens expired.
    date: style.date,
    'cache-control': draft.cacheControl ?? noStore,
  };
  if (draft.contentType !== undefined) headers['content-type'] = draft.contentType;
  if (isOverridden) headers[responseHeaders.actualStatus] = String(draft.status);
  Object.assign(headers, draft.headers);
  return {
    status: isOverridden ? 200 : draft.status,
    common: draft.headers === undefined ? common : withoutReplaced(common, draft.headers),
    headers,
    body: draft.body,
  };
}

export function draftOf(failure: Failure): Draft {
  const { status, contentType, body, headers } = failure;
  return { status, contentType, body, headers };
}
