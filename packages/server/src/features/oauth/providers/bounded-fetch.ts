import { outboundMaxBytes, outboundTimeoutMs } from '@tessera/protocol';
import { ProviderFailure } from '../rules.ts';

/**
 * `fetch` for providers: at most ten seconds and one megabyte, and redirects are not followed (control 86).
 *
 * @throws ProviderFailure when there is no response within these limits
 */
export function createBoundedFetch(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
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
  };
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
