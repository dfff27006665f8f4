import { isCloudflareWorker } from '../platform/cloudflare.ts';

/** No cookies, no cache. Cloudflare Workers refuse these options. */
export function fetchMode(): RequestInit {
  return isCloudflareWorker() ? {} : { credentials: 'omit', cache: 'no-store' };
}
