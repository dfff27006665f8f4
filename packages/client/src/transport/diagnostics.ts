import { withoutSecrets } from '../errors/redact.ts';
import type { Platform } from '../platform/platform.ts';
import { RequestError } from './request-error.ts';

const probeTimeoutMs = 3000;

interface Facts {
  readonly apiUrl: string;
  readonly platform: Platform;
}

/** The error for a server that cannot be reached, with everything that explains it. */
export async function describe(failures: readonly unknown[], { apiUrl, platform }: Facts): Promise<RequestError> {
  const cause = causeOf(failures);
  const diagnostics = JSON.stringify(await diagnose(apiUrl, platform), null, 2);
  return new RequestError(
    'unreachable',
    `The server at ${apiUrl} cannot be reached. Please try again later, or contact support with a screenshot of the console.\n\n${withoutSecrets(String(cause))}\n\n${diagnostics}`,
    { cause },
  );
}

/** One error for many equal ones. */
function causeOf(failures: readonly unknown[]): unknown {
  const texts = failures.map(String);
  if (new Set(texts).size === 1) return failures[0];
  return new AggregateError(failures, texts.map((text, attempt) => `${attempt + 1}. ${text}`).join('\n'));
}

/** Sends requests only to the configured server. */
async function diagnose(apiUrl: string, platform: Platform): Promise<Record<string, string>> {
  const probe = (url: URL | string) =>
    platform.fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) }).then(
      response => (response.ok ? 'OK' : `status ${response.status}`),
      error => String(error),
    );
  const [api, health] = await Promise.all([probe(apiUrl), probe(new URL('/health', apiUrl))]);
  return { online: String(platform.isOnline()), api, health };
}
