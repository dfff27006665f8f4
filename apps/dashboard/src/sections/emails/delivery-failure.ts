import { words } from './words.ts';

/** Why a mail server did not accept an email. */
export interface DeliveryFailure {
  readonly type: keyof typeof words.advice;
  readonly message: string;
  readonly canRetry: boolean;
  /** The SMTP answer, or the error of the connection. */
  readonly answer: string | undefined;
}

/** Types of the server under which a failure of TLS is one of several causes. Only the answer tells it. */
const connectionTypes: ReadonlySet<string> = new Set(['TIMEOUT', 'SOCKET_CLOSED', 'UNKNOWN']);
/** Types of the server under which an unknown recipient is one of several causes. Only the answer tells it. */
const refusalTypes: ReadonlySet<string> = new Set(['REJECTED', 'INVALID_EMAIL_ADDRESS']);
/** The status codes of RFC 3463 for a recipient that does not exist, and the usual words of servers without them. */
const aboutRecipient = /\b5\.1\.(?:[1236]|10)\b|\b(?:user unknown|unknown user|no such (?:user|mailbox|recipient))\b/i;
/** Types that the server gives to temporary answers, too, because the contract names only one of them as temporary. */
const unspecificTypes: ReadonlySet<string> = new Set(['REJECTED', 'UNKNOWN']);
const aboutTls = /\b(?:tls|ssl|certificate|handshake|wrong version number)\b/i;

/** Reads the error of an entry of the email log; undefined when the mail server accepted the email. */
export function deliveryFailure(error: unknown): DeliveryFailure | undefined {
  if (error === undefined || error === null) return undefined;
  const { errorType, message, canRetry, rawError } = recordOf(error);
  const { response, responseCode, message: raw } = recordOf(rawError);
  const answer = [response, raw].find(text => typeof text === 'string' && text !== '');
  const isTemporary = typeof responseCode === 'number' && responseCode >= 400 && responseCode < 500;
  const type = typeOf(errorType, { isTemporary });
  return {
    type: causeOf(type, String(answer)),
    message: typeof message === 'string' ? message : JSON.stringify(error),
    canRetry: canRetry === true || isTemporary,
    answer: answer === undefined ? undefined : String(answer),
  };
}

function causeOf(type: DeliveryFailure['type'], answer: string): DeliveryFailure['type'] {
  if (connectionTypes.has(type) && aboutTls.test(answer)) return 'TLS';
  if (refusalTypes.has(type) && aboutRecipient.test(answer)) return 'NO_RECIPIENT';
  return type;
}

function typeOf(given: unknown, { isTemporary }: { readonly isTemporary: boolean }): DeliveryFailure['type'] {
  const type = isKnown(given) ? given : 'UNKNOWN';
  return isTemporary && unspecificTypes.has(type) ? 'TEMPORARY' : type;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isKnown(type: unknown): type is DeliveryFailure['type'] {
  return typeof type === 'string' && Object.hasOwn(words.advice, type);
}
