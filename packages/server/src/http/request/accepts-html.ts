import type { HttpRequest } from '../../core/http-request.ts';

/** Whether a browser opened the address, so that a person reads the answer. */
export function acceptsHtml({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  return headers.get('accept')?.includes('text/html') === true;
}
