import type { Platform } from './platform.ts';

/** More than the longest wait of the server, which answers 503 when its database takes no connection. */
const maxWaitMs = 30_000;

/**
 * The platform of an app with secret keys. On a server its requests fail, as without a connection, when no response has
 * arrived after 30 s: Node would wait for five minutes, and a page of the app with it. The request is not aborted, because
 * React joins equal requests of a render only without a signal. A page keeps the limits of its browser.
 */
export function boundFetch(platform: Platform): Platform {
  if (platform.page !== undefined) return platform;
  return { ...platform, fetch: (...request) => withinLimit(platform.fetch(...request)) };
}

function withinLimit<T>(response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TypeError('no response within 30 seconds')), maxWaitMs);
    response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
