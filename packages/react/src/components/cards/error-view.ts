import { parseJson } from '../../storage/parse-json.ts';
import { codeWords } from '../../words/error-words.ts';
import { isWordKey, type Translate } from '../../words/words.ts';
import { isCarriedCode } from './carried-code.ts';

/** What the error page shows about an error, and where it leads. */
export interface ErrorView {
  readonly title: string;
  readonly text: string;
  /** Shown for support; undefined when it adds nothing. */
  readonly code?: string;
  /** Whether the user may only have cancelled, and can sign in again: support then has nothing to look for. */
  readonly hasSignIn?: boolean;
}

/**
 * Reads the error from the query of the error page: `errorCode`, `message`, `details` (JSON). The message is never
 * shown: the author of the link chooses it, and our page must not show text of an attacker.
 *
 * @returns undefined when the query holds no error.
 */
export function errorView(query: URLSearchParams, translate: Translate): ErrorView | undefined {
  // Set by our own client when a page and the sign-in page redirect to each other.
  if (query.get('errorCode') === 'REDIRECT_LOOP' && query.has('message')) {
    return { title: translate('redirectLoop.title'), text: translate('redirectLoop.text') };
  }
  const error = readError(query);
  if (error === undefined) return undefined;
  const { code, details } = error;

  if (code === 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER') {
    return { title: translate('oauthTaken.title'), text: translate('oauthTaken.text') };
  }
  if (code === 'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION') {
    return { title: translate('oauthOther.title'), text: translate('oauthOther.text') };
  }
  if (code === 'OAUTH_PROVIDER_ACCESS_DENIED') {
    return { title: translate('oauthDenied.title'), text: translate('oauthDenied.text'), hasSignIn: true };
  }
  const text = isWordKey(`error.${code}`) ? codeWords(code, details, translate) : translate('unknownError.text');
  return { title: translate('unknownError.title'), text, code };
}

/** The id of the failed request, in the only form that the server gives. The author of the link chooses the query. */
export function traceIdIn(query: URLSearchParams): string | undefined {
  return query.get('trace_id')?.match(/^[0-9a-z]{16}$/)?.[0];
}

function readError(query: URLSearchParams) {
  const code = query.get('errorCode');
  const details = parseJson(query.get('details') ?? '{}');
  const isWhole = query.has('message') && details !== undefined;
  return isWhole && isCarriedCode(code) ? { code, details } : undefined;
}
