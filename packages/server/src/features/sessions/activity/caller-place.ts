import type { AccessLevel } from '@tessera/protocol';
import type { HttpRequest } from '../../../core/http-request.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import { type EndUserPlace, endUserPlace } from '../../../platform/network/geo.ts';

/** Where the caller is who opens or uses a session. */
export interface CallerPlace {
  /** What the headers of the request state, for the session list of the contract. */
  readonly stated: EndUserPlace | undefined;
  /** Reported by trusted hops. Null where a server calls for the user: its address is not the user's. */
  readonly address: string | null;
  /** Stated by a trusted proxy; null without one. */
  readonly countryCode: string | null;
}

interface PlacedCall {
  readonly level: AccessLevel;
  readonly request: HttpRequest;
  readonly source: Pick<RequestSource, 'address' | 'countryCode'>;
}

export function placeOf({ level, request, source }: PlacedCall): CallerPlace {
  const stated = endUserPlace(request.headers);
  if (level !== 'client') return { stated, address: null, countryCode: null };
  return { stated, address: source.address ?? null, countryCode: source.countryCode };
}
