import type { HttpHeaders } from '../../../core/http-request.ts';
import { refuse } from '../../../http/refusal.ts';

/**
 * A flow begins with a navigation of the browser. A page of another site must not begin one with an image, a frame or a
 * fetch: each would set a cookie and count in the limit of the address. Browsers before 2020 (Safari: 2023) and other
 * clients do not send these headers, and pass.
 *
 * @throws a text 403
 */
export function assertNavigation(headers: Pick<HttpHeaders, 'get'>): void {
  const destination = headers.get('sec-fetch-dest');
  if (headers.get('sec-fetch-site') !== 'cross-site' || destination === null || destination === 'document') return;
  refuse(403, 'A sign-in begins with a link or a redirect, and not inside a page of another site.');
}
