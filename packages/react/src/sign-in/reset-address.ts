import type { ClientApp } from '@tessera/client';
import { openStorage } from '../storage/browser-storage.ts';

const parameter = 'requested_at';

/**
 * The address that a reset link was requested for, kept in this browser because the link opens a new tab. The form of the
 * new password carries it, so that a password manager saves the pair. Only the link of the same request gets it, because
 * an earlier link or one from another browser can belong to another account.
 */
export function resetAddress({ projectId, urls }: Pick<ClientApp, 'projectId' | 'urls'>) {
  const kept = openStorage('local', `tessera.reset-address.${projectId}`);
  return {
    /** The address of the link with this query. */
    read(query: URLSearchParams): string | undefined {
      const [requestedAt, email] = kept.read()?.split(' ') ?? [];
      return requestedAt === query.get(parameter) ? email : undefined;
    },
    write: (email: string, requestedAt: number) => kept.write(`${requestedAt} ${email}`),
    clear: kept.clear,
    /** Where the link leads. */
    callbackUrl(requestedAt: number): string {
      const url = new URL(urls.passwordReset, window.location.href);
      url.searchParams.set(parameter, String(requestedAt));
      return url.href;
    },
  };
}
