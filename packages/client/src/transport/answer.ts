import { responseHeaders } from '@tessera/protocol/headers';

/** Lazy: most pages never receive an unexpected response. */
const loadFailures = () => import('./response-failure.ts');

/** The status that the server meant (docs/contract/envelope.md#status-override). */
export function statusOf(response: Response): number {
  return Number(response.headers.get(responseHeaders.actualStatus) ?? response.status);
}

/** Whether the API answered with a status from 200 to 299 and without a known error. */
export function isSuccess(response: Response): boolean {
  const status = statusOf(response);
  return status >= 200 && status < 300 && !response.headers.has(responseHeaders.knownError) && !isWebPage(response);
}

/** Whether a response is a web page. The API has none: a proxy sent it, or `baseUrl` is the address of another site. */
export function isWebPage({ headers }: Response): boolean {
  return !!headers.get('content-type')?.startsWith('text/html');
}

/**
 * The JSON body of a response.
 *
 * @throws RequestError `unexpected-answer` for a body that is not JSON. It has no cause: the error of the parser quotes
 * the body, which may hold tokens.
 */
export async function jsonOf<T>(response: Response): Promise<T> {
  try {
    return await response.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { failureOf } = await loadFailures();
    throw failureOf(response, { status: statusOf(response) });
  }
}
