import type { AccessLevel } from '@tessera/protocol';
import type { KnownError } from '@tessera/protocol/errors';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { defect } from '../defect.ts';
import { loadErrors } from '../known-errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { LiveTokens, Session } from '../session/session.ts';
import { judge, knownErrorOf } from './answer.ts';
import { fetchMode } from './fetch-mode.ts';
import { headersFor } from './headers.ts';
import { isNetworkFailure, networkError } from './network-error.ts';
import { type Attempt, withRetries } from './retry.ts';

/** A request below `/api/v1`. */
export interface Outgoing {
  readonly path: string;
  readonly init: RequestInit;
  readonly level: AccessLevel;
  readonly session: Session | null;
}

/**
 * Sends a request, repeating it where that helps.
 *
 * @returns a successful answer.
 * @throws KnownError, or RequestError when there was no usable answer.
 */
export type Send = (outgoing: Outgoing) => Promise<Response>;

interface TransportMeans {
  readonly config: Config;
  readonly platform: Platform;
  readonly clock: Clock;
}

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

/** Control 46: a write is not repeated blindly. */
export function createSend({ config, platform, clock }: TransportMeans): Send {
  const { projectOwnerSession: owner = null } = config;
  const giveUp = (failures: readonly unknown[]) => networkError(failures, config, platform);

  async function attempt({ path, init, level, session }: Outgoing): Promise<Attempt<Response>> {
    // Next.js takes a page whose cookies were looked at for one that differs from person to person.
    if (!config.secretServerKey && !platform.page) await config.next?.cookies();
    const tokens = await liveTokens(session);
    const ownerTokens = await liveTokens(owner);
    const headers = headersFor(config, level, tokens, ownerTokens, init.headers);
    const url = config.apiUrl + path.replace(/\/$/, '');
    let response: Response;
    try {
      response = await platform.fetch(url, { ...fetchMode(), ...init, headers });
    } catch (failure) {
      if (!isNetworkFailure(failure)) throw failure;
      if (!idempotentMethods.has((init.method ?? 'GET').toUpperCase())) throw await giveUp([failure]);
      return { failure };
    }
    clock.learn(response);
    const known = await knownErrorOf(response);
    return known ? afterKnownError(known, { session, tokens, owner, ownerTokens }) : judge(response, clock.now());
  }

  return outgoing => withRetries(() => attempt(outgoing), platform, giveUp);
}

interface Used {
  readonly session: Session | null;
  readonly tokens: LiveTokens | null;
  readonly owner: Session | null;
  readonly ownerTokens: LiveTokens | null;
}

/** A rejected access token is worth another attempt with a new one; everything else is thrown. */
async function afterKnownError(
  known: KnownError,
  { session, tokens, owner, ownerTokens }: Used,
): Promise<Attempt<never>> {
  const { isKnown } = await loadErrors();
  if (isKnown(known, 'INVALID_ACCESS_TOKEN')) return replaceToken(known, session, tokens);
  const isOwnersFault = isKnown(known, 'INVALID_ADMIN_ACCESS_TOKEN') || isKnown(known, 'API_KEY_NOT_FOUND');
  if (owner !== null && isOwnersFault) return replaceToken(known, owner, ownerTokens);
  throw known;
}

function replaceToken(failure: KnownError, session: Session | null, tokens: LiveTokens | null): Attempt<never> {
  if (tokens === null) throw defect('The server rejected an access token, but none was sent.', failure);
  session?.markAccessTokenExpired(tokens.accessToken);
  return { failure };
}

async function liveTokens(session: Session | null): Promise<LiveTokens | null> {
  return session === null ? null : session.getLikelyValidTokens();
}
