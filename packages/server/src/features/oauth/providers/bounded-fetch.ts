import {
  outboundMaxBytes,
  outboundTimeoutMs,
  providerRequestsAtOncePerProject,
  providerRequestsWaitingPerProject,
} from '@tessera/protocol';
import { createConcurrencyLimiter } from '../../../platform/rate-limits/concurrency-limiter.ts';
import { ProviderFailure } from '../rules.ts';

/** A provider that does not respond keeps a socket for ten seconds: one project must not take all of the process. */
const turns = createConcurrencyLimiter({
  atOnce: providerRequestsAtOncePerProject,
  maxWaiting: providerRequestsWaitingPerProject,
});

/**
 * `fetch` for providers: at most ten seconds and one megabyte, a limited number of requests of a project at once, and
 * redirects are not followed (control 86).
 *
 * @throws ProviderFailure when there is no response within these limits
 */
export function createBoundedFetch(ask: typeof fetch, projectId: string): typeof fetch {
  return async (input, init) => {
    const done = await turns.take(projectId, () => askInTime(ask, input, init));
    if (done === undefined) throw new ProviderFailure('unreachable', 'too many requests of the project wait');
    return done.value;
  };
}

async function askInTime(ask: typeof fetch, ...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const signal = AbortSignal.timeout(outboundTimeoutMs);
  try {
    const response = await ask(input, { ...init, redirect: 'manual', signal });
    const { status, headers } = response;
    const body = await readBounded(response);
    return new Response(bodiless.has(status) ? null : body, { status, headers });
  } catch (cause) {
    // DNS, connection, timeout and size alike: there is no response.
    throw new ProviderFailure('unreachable', 'the provider did not respond', { cause });
  }
}

const bodiless = new Set([204, 205, 304]);

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > outboundMaxBytes) throw new Error(`the response is larger than ${outboundMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}
