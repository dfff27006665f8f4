import { KnownErrors } from '@tessera/protocol/errors';
import { describe, expect, test, vi } from 'vitest';
import { resolveConfig } from '../app/config/config.ts';
import type { Page } from '../platform/platform.ts';
import { Session } from '../session/session.ts';
import { machine, settings } from '../test/apps.ts';
import { createBrowser } from '../test/browser.ts';
import { createStubServer, json, knownError, noConnection, type Seen, text } from '../test/stub-server.ts';
import { accessToken } from '../test/tokens.ts';
import { createClock } from '../util/clock.ts';
import type { RequestError } from './request-error.ts';
import { createSend } from './send.ts';

type Answer = (request: Seen) => Response;

interface SendOptions {
  readonly method?: string;
  readonly session?: Session;
  readonly owner?: Session;
  readonly isOnline?: boolean;
  readonly path?: string;
  readonly page?: Page | undefined;
  readonly retryBudgetMs?: number;
  /** Whether pauses move the clock. */
  readonly movesClock?: boolean;
}

/** Sends one request to a server that gives these answers in turn, the last one for ever. */
async function sendTo(answers: readonly Answer[], options: SendOptions = {}) {
  const { method = 'GET', session = null, owner, isOnline = true, path = '/thing', page, movesClock } = options;
  let given = 0;
  const server = createStubServer({
    [`${method} /api/v1/thing`]: request => {
      const answer = answers[Math.min(given, answers.length - 1)];
      given++;
      if (!answer) throw new Error('no answer given');
      return answer(request);
    },
    '*': noConnection,
  });
  const waits: number[] = [];
  const warnings: string[] = [];
  let nowMs = Date.now();
  const platform = {
    ...machine(server.fetch),
    isOnline: () => isOnline,
    warn: (message: string) => void warnings.push(message),
    page,
    now: () => nowMs,
    wait: async (delayMs: number) => {
      waits.push(delayMs);
      if (movesClock) nowMs += delayMs;
    },
  };
  const keys = owner ? { publishableClientKey: undefined, projectOwnerSession: owner } : {};
  const config = resolveConfig({ ...settings, ...keys, retryBudgetMs: options.retryBudgetMs }, 'server');
  const send = createSend({ config, platform, clock: createClock(platform.now) });
  const outcome = await send({ path, init: { method }, level: 'client', session }, response => response).then(
    response => ({ response, error: undefined }),
    (error: Error) => ({ response: undefined, error }),
  );
  return { ...outcome, waits, warnings, requests: server.to(`${method} /api/v1/thing`) };
}

function sessionWith(token: string, next: () => string | null = () => accessToken()) {
  const refresh = vi.fn(async () => {
    const fresh = next();
    return fresh === null ? null : { accessToken: fresh, refreshToken: 'r' };
  });
  return { session: new Session({ accessToken: token, refreshToken: 'r' }, { now: Date.now, refresh }), refresh };
}

const success: Answer = () => json({ fine: true });

describe('no connection', () => {
  test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])('a %s is tried five times', async method => {
    const { error, waits, requests } = await sendTo([noConnection], { method });
    expect(error).toMatchObject({ name: 'RequestError', reason: 'unreachable' });
    expect(requests).toHaveLength(5);
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
  });

  test.each(['POST', 'PATCH', 'CONNECT'])('control 46: a %s is not repeated', async method => {
    const { error, waits, requests } = await sendTo([noConnection], { method });
    expect(error).toMatchObject({ reason: 'unreachable' });
    expect(requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test('a request that succeeds at the second attempt returns its response', async () => {
    const { response, waits } = await sendTo([noConnection, success]);
    expect(await response?.json()).toEqual({ fine: true });
    expect(waits).toEqual([1000]);
  });

  test('the error names the server and the diagnostics, which contact no other server', async () => {
    const { error } = await sendTo([noConnection]);
    expect(error?.message).toContain('https://auth.example/api/v1');
    expect(error?.message).toContain('"health": "TypeError: fetch failed"');
    expect(error?.cause).toEqual(new TypeError('fetch failed'));
  });

  test('the cause lists different failures of all attempts', async () => {
    const other: Answer = () => {
      throw new TypeError('connection reset');
    };
    const { error } = await sendTo([other, noConnection]);
    expect(error?.cause).toBeInstanceOf(AggregateError);
    expect(error?.cause).toMatchObject({ errors: { length: 5 } });
  });

  test('an offline device gets the error `offline`, although the chunk with the diagnostics cannot be loaded', async () => {
    vi.doMock('./diagnostics.ts', () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    });
    const { error } = await sendTo([noConnection], { isOnline: false });
    vi.doUnmock('./diagnostics.ts');
    expect(error).toMatchObject({ reason: 'offline', cause: new TypeError('fetch failed') });
    expect(error?.message).toBe('You are offline. Please try again.');
  });

  test('an error that is not a network failure is thrown unchanged', async () => {
    const abort = new DOMException('stopped', 'AbortError');
    const { error, requests } = await sendTo([
      () => {
        throw abort;
      },
    ]);
    expect(error).toBe(abort);
    expect(requests).toHaveLength(1);
  });
});

describe('responses', () => {
  test('the status is the value of the actual-status header', async () => {
    const { error } = await sendTo([() => text(403, 'not for you')]);
    expect(error).toMatchObject({ name: 'RequestError', reason: 'unexpected-answer', status: 403 });
    expect(error?.message).toContain('not for you');
  });

  test.each([200, 404])('a web page with status %i is an error, and a warning names baseUrl', async status => {
    const page = () =>
      text(status, '<!doctype html><title>Shop</title>', { 'content-type': 'text/html; charset=utf-8' });
    const { error, warnings, requests } = await sendTo([page]);
    expect(error).toMatchObject({ name: 'RequestError', reason: 'unexpected-answer', status });
    expect(error?.message).toContain(`answered ${status}: The body is not JSON.`);
    expect(warnings).toEqual([expect.stringContaining('https://auth.example/api/v1 answers with a web page')]);
    expect(warnings).toEqual([expect.stringMatching(/Correct baseUrl \(.*VITE_TESSERA_API_URL.*\)/)]);
    expect(requests).toHaveLength(1);
  });

  test('the web page of a proxy with a 502 gives no advice about baseUrl', async () => {
    const { error, warnings } = await sendTo([
      () => text(502, '<h1>Bad gateway</h1>', { 'content-type': 'text/html' }),
    ]);
    expect(error).toMatchObject({ status: 502, sentence: undefined });
    expect(error?.message).toContain('answered 502: The body is not JSON.');
    expect(warnings).toEqual([]);
  });

  test('a 503 without Retry-After and a 500 are thrown at once', async () => {
    for (const status of [500, 503]) {
      const { error, requests } = await sendTo([() => text(status, 'broken')]);
      expect(error).toMatchObject({ reason: 'unexpected-answer', status });
      expect(requests).toHaveLength(1);
    }
  });

  test('an error of a request carries status, sentence and trace id of the response', async () => {
    const { error } = await sendTo([() => text(403, 'Sign in again first.', { 'x-stack-request-id': 'trace1' })]);
    expect(error).toMatchObject({ status: 403, sentence: 'Sign in again first.', traceId: 'trace1' });
  });

  test('a known error and a refused rate limit carry the trace id of the response', async () => {
    const headers = { 'x-stack-request-id': 'trace1', 'x-stack-known-error': 'EMAIL_PASSWORD_MISMATCH' };
    const body = { code: 'EMAIL_PASSWORD_MISMATCH', error: 'words' };
    const known = await sendTo([() => Response.json(body, { status: 400, headers })]);
    expect(known.error).toMatchObject({ errorCode: 'EMAIL_PASSWORD_MISMATCH', traceId: 'trace1' });
    const again = { 'x-stack-request-id': 'trace2', 'retry-after': '3600' };
    const limited = await sendTo([() => text(429, 'Too often.', again)]);
    expect(limited.error).toMatchObject({ reason: 'too-many-requests', traceId: 'trace2' });
  });

  test('a known error is thrown as KnownError', async () => {
    const { error, requests } = await sendTo([() => knownError('EMAIL_PASSWORD_MISMATCH', 400)]);
    expect(KnownErrors.EmailPasswordMismatch.isInstance(error)).toBe(true);
    expect(error?.message).toBe('words about EMAIL_PASSWORD_MISMATCH');
    expect(requests).toHaveLength(1);
  });

  test('an unknown code of a newer server is still a KnownError', async () => {
    const { error } = await sendTo([() => knownError('FROM_THE_FUTURE', 400)]);
    expect(error).toMatchObject({ errorCode: 'UNSUPPORTED_ERROR', details: { originalErrorCode: 'FROM_THE_FUTURE' } });
  });

  test('a response whose header and body have different codes is reported as a defect', async () => {
    const lying = () => Response.json({ code: 'A', error: '' }, { headers: { 'x-stack-known-error': 'B' } });
    const { error, requests } = await sendTo([lying]);
    expect(error?.message).toContain('the code B in its header and another one in its body');
    expect(requests).toHaveLength(1);
  });

  test('a 508 is retried only when it names INFINITE_LOOP_DETECTED', async () => {
    const loop = await sendTo([() => text(508, 'INFINITE_LOOP_DETECTED'), success]);
    expect(loop.waits).toEqual([1000]);
    expect(loop.response).toBeDefined();
    expect((await sendTo([() => text(508, 'something else')])).error).toMatchObject({ status: 508 });
  });
});

describe('too many requests', () => {
  test('control 45: a 429 with Retry-After waits that time plus the usual pause', async () => {
    const { response, waits } = await sendTo([() => text(429, '', { 'retry-after': '3' }), success], {
      method: 'POST',
    });
    expect(waits).toEqual([4000]);
    expect(response).toBeDefined();
  });

  test('control 45: a 429 without Retry-After is retried after the usual pause', async () => {
    expect((await sendTo([() => text(429, ''), success])).waits).toEqual([1000]);
  });

  test('control 45: a Retry-After beyond the budget of 10 s is reported at once, with the time to wait', async () => {
    const { error, waits, requests } = await sendTo([() => text(429, '', { 'retry-after': '900' })]);
    expect(error).toMatchObject({ reason: 'too-many-requests', retryAfterMs: 900_000, status: 429 });
    expect(waits).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test('after five attempts the error has the reason `too-many-requests`', async () => {
    const { error, requests } = await sendTo([() => text(429, '', { 'retry-after': '1' })]);
    expect(error).toMatchObject({ reason: 'too-many-requests', retryAfterMs: 1000 } satisfies Partial<RequestError>);
    expect(requests).toHaveLength(5);
  });
});

describe('a server that is unavailable for a moment', () => {
  const ours = { 'access-control-allow-headers': 'content-type, idempotency-key' };
  const away: Answer = () => text(503, 'The service is not available.', { 'retry-after': '2', ...ours });
  const foreign: Answer = () => text(503, 'maintenance', { 'retry-after': '2' });
  const reset: Answer = () => noConnection();
  const keysOf = (requests: readonly Seen[]) => requests.map(({ headers }) => headers.get('idempotency-key'));

  test('a GET and a POST succeed within the budget during a failover of 4 s', async () => {
    for (const method of ['GET', 'POST']) {
      const { response, waits } = await sendTo([away, away, success], { method });
      expect(response).toBeDefined();
      expect(waits).toEqual([3000, 4000]);
    }
  });

  test('all attempts of a write share one idempotency key, and the next write has another one', async () => {
    const first = keysOf((await sendTo([away, away, success], { method: 'POST' })).requests);
    const second = keysOf((await sendTo([success], { method: 'POST' })).requests);
    expect(first[0]).toMatch(/^[0-9a-hjkmnp-tv-z]{45}$/);
    expect(new Set(first).size).toBe(1);
    expect(second[0]).not.toBe(first[0]);
  });

  test('a read has no idempotency key, also when it is a POST', async () => {
    const { requests } = await sendTo([away, success]);
    expect(keysOf(requests)).toEqual([null, null]);
  });

  test('control 46: a write to a server that does not announce idempotency keys is not repeated', async () => {
    const { error, requests } = await sendTo([foreign], { method: 'POST' });
    expect(error).toMatchObject({ reason: 'unreachable', status: 503, retryAfterMs: 2000 });
    expect(requests).toHaveLength(1);
  });

  test('a write whose connection breaks is repeated after the server has announced idempotency keys', async () => {
    const { response, requests } = await sendTo([away, reset, success], { method: 'PATCH' });
    expect(response).toBeDefined();
    expect(requests).toHaveLength(3);
  });

  test('a write that still runs under its key is retried until its answer is stored', async () => {
    const running: Answer = () => text(409, 'still running', { 'retry-after': '1', ...ours });
    expect((await sendTo([running, success], { method: 'POST' })).response).toBeDefined();
  });

  test('a page sends the key only after the server has announced it', async () => {
    const page = createBrowser().openTab(noConnection).platform.page;
    const { requests } = await sendTo([away], { method: 'POST', page });
    expect(keysOf(requests)).toEqual([null]);
    const later = await sendTo([away, success], { method: 'DELETE', page });
    expect(keysOf(later.requests)).toEqual([null, expect.any(String)]);
  });

  test('all retries stay within the budget, and the last pause is cut short', async () => {
    const { waits } = await sendTo([noConnection], { movesClock: true });
    expect(waits).toEqual([1000, 2000, 4000, 3000]);
  });

  test('a budget of 0 allows no retry', async () => {
    expect((await sendTo([noConnection], { retryBudgetMs: 0 })).requests).toHaveLength(1);
  });
});

describe('rejected tokens', () => {
  test.each(['ACCESS_TOKEN_EXPIRED', 'UNPARSABLE_ACCESS_TOKEN', 'INVALID_PROJECT_FOR_ACCESS_TOKEN'])(
    '%s refreshes and repeats, also a POST',
    async code => {
      const [old, fresh] = [accessToken(), accessToken()];
      const { session, refresh } = sessionWith(old, () => fresh);
      const { response, requests } = await sendTo([() => knownError(code, 401), success], { method: 'POST', session });
      expect(response).toBeDefined();
      expect(requests.map(({ headers }) => headers.get('x-stack-access-token'))).toEqual([old, fresh]);
      expect(refresh).toHaveBeenCalledTimes(1);
    },
  );

  test('a rejected token on a request without a token is a defect', async () => {
    const { error } = await sendTo([() => knownError('ACCESS_TOKEN_EXPIRED', 401)]);
    expect(error?.message).toContain('none was sent');
  });

  test.each(['ADMIN_ACCESS_TOKEN_EXPIRED', 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN', 'API_KEY_NOT_FOUND'])(
    '%s refreshes the session of the owner',
    async code => {
      const [old, fresh] = [accessToken(), accessToken()];
      const { session: owner } = sessionWith(old, () => fresh);
      const { response, requests } = await sendTo([() => knownError(code, 401), success], { owner });
      expect(response).toBeDefined();
      expect(requests.map(({ headers }) => headers.get('x-stack-admin-access-token'))).toEqual([old, fresh]);
    },
  );

  test('an owner gets API_KEY_NOT_FOUND when the key is really missing', async () => {
    const { session: owner } = sessionWith(accessToken());
    const { error } = await sendTo([() => knownError('API_KEY_NOT_FOUND', 404)], { owner });
    expect(error).toMatchObject({ errorCode: 'API_KEY_NOT_FOUND' });
  });

  test('without an owner API_KEY_NOT_FOUND is thrown', async () => {
    expect((await sendTo([() => knownError('API_KEY_NOT_FOUND', 404)])).requests).toHaveLength(1);
  });
});

test('each attempt has its own nonce, and a trailing slash of the path is removed', async () => {
  const { requests } = await sendTo([noConnection, success], { path: '/thing/' });
  const nonces = requests.map(({ headers }) => headers.get('x-stack-random-nonce'));
  expect(nonces[0]).toMatch(/^[0-9a-hjkmnp-tv-z]{45}$/);
  expect(new Set(nonces).size).toBe(2);
});

test.each([
  ['PROJECT_NOT_FOUND', /has no project .+Correct projectId/],
  ['INVALID_PUBLISHABLE_CLIENT_KEY', /publishable client key does not belong to project/],
  ['REDIRECT_URL_NOT_WHITELISTED', /is not a trusted domain .+ --add-domain/],
])('the refusal %s of the settings of an app is explained to the developer', async (code, words) => {
  const { error, warnings } = await sendTo([() => knownError(code, 400)]);
  expect(error).toMatchObject({ errorCode: code });
  expect(warnings).toEqual([expect.stringMatching(words)]);
});

test('a refusal that is not about the settings of an app prints no warning', async () => {
  expect((await sendTo([() => knownError('USER_NOT_FOUND', 404)])).warnings).toEqual([]);
});
