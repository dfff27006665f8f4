import { isCloudflareWorker } from '../platform/cloudflare.ts';

/**
 * Concurrent calls share one request. In Cloudflare Workers each call sends its own: a request of one invocation never
 * resolves in another one.
 */
export function shareRequest(request: () => Promise<void>): () => Promise<void> {
  let pending: Promise<void> | undefined;
  return () => {
    if (isCloudflareWorker()) return request();
    pending ??= request().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
