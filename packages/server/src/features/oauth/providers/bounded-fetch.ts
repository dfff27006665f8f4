import { outboundMaxBytes, outboundTimeoutMs } from '@tessera/protocol';
import { ProviderFailure } from '../rules.ts';

/**
 * `fetch` for answers of providers: within ten seconds, a megabyte at the most, and redirects are not followed
 * (control 86).
 *
 * @throws ProviderFailure when there is no answer, or none to be had
 */
export function boundedFetch(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const signal = AbortSignal.timeout(outboundTimeoutMs);
    try {
      const response = await ask(input, { ...init, redirect: 'manual', signal });
      const { status, headers } = response;
      const body = await bounded(response);
      return new Response(bodiless.has(status) ? null : body, { status, headers });
    } catch (cause) {
      // Name, connection, time, size: whatever it was, there is no answer.
      throw new ProviderFailure('unreachable', 'the provider gave no answer', { cause });
    }
  };
}

const bodiless = new Set([204, 205, 304]);

async function bounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > outboundMaxBytes) throw new Error(`the answer is larger than ${outboundMaxBytes} bytes`);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}
