import type { Config } from '../config.ts';
import type { Platform } from '../platform/platform.ts';
import { withoutSecrets } from '../quote.ts';
import { RequestError } from './request-error.ts';

const patienceMs = 3000;

/** What `fetch` throws when there is no connection; by name, because it may come from another realm. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'TypeError';
}

/**
 * What to throw after the last attempt: what the server said in it, else that it cannot be reached, with what can be
 * found out about the reason.
 */
export async function networkError(
  failures: readonly unknown[],
  { apiUrl }: Pick<Config, 'apiUrl'>,
  platform: Platform,
): Promise<unknown> {
  const last = failures.at(-1);
  if (!isNetworkFailure(last)) return last;
  const cause = causeOf(failures);
  if (platform.isOnline() === false) {
    return new RequestError('offline', 'You are offline. Please check your connection and try again.', { cause });
  }
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
    platform.fetch(url, { signal: AbortSignal.timeout(patienceMs) }).then(
      response => (response.ok ? 'OK' : `status ${response.status}`),
      error => String(error),
    );
  const [api, health] = await Promise.all([probe(apiUrl), probe(new URL('/health', apiUrl))]);
  return { online: String(platform.isOnline()), api, health };
}
