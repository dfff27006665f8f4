/** Why a mail server refused an email (docs/contract/emails-webhooks-metrics.md#other-sending-endpoints). */
export type MailFailureType =
  | 'HOST_NOT_FOUND'
  | 'AUTH_FAILED'
  | 'TEMPORARY'
  | 'INVALID_EMAIL_ADDRESS'
  | 'REJECTED'
  | 'TIMEOUT'
  | 'SOCKET_CLOSED'
  | 'UNKNOWN';

export interface MailFailure {
  readonly type: MailFailureType;
  readonly canRetry: boolean;
  /** A sentence for the administrator who configured the mail server. */
  readonly message: string;
  readonly raw: RawFailure;
}

/** The error fields of the mail client that are known to contain no secret. */
export interface RawFailure {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message?: string;
}

/** Failure classes; the first matching row applies. */
export function mailFailure(raw: RawFailure, host: string): MailFailure {
  const answer = raw.response ?? raw.message ?? '';
  const row = classes.find(({ applies }) => applies(raw, host)) ?? unknown;
  return { type: row.type, canRetry: row.canRetry, message: row.says(answer), raw };
}

/** No connection was opened, so the server has received nothing. */
export function isUnreachable({ raw: { message = '' } }: MailFailure): boolean {
  return /^(?:connect |getaddrinfo |Connection timeout|Greeting never received)/.test(message);
}

/** The server refused for now (RFC 5321, section 4.2.1), in whatever class of the contract. */
export function isTemporary({ raw: { responseCode = 0 } }: MailFailure): boolean {
  return responseCode >= 400 && responseCode < 500;
}

interface FailureClass {
  readonly type: MailFailureType;
  readonly canRetry: boolean;
  readonly applies: (raw: RawFailure, host: string) => boolean;
  readonly says: (answer: string) => string;
}

const timeouts: ReadonlySet<string> = new Set(['ETIMEDOUT', 'ETIMEOUT', 'EABORT']);

const classes: readonly FailureClass[] = [
  {
    type: 'HOST_NOT_FOUND',
    canRetry: false,
    applies: ({ code }) => code === 'EDNS' || code === 'ENOTFOUND' || code === 'EAI_AGAIN',
    says: () => 'The mail host cannot be reached. Check the host setting.',
  },
  {
    type: 'AUTH_FAILED',
    canRetry: false,
    applies: ({ code, responseCode }) => responseCode === 535 || code === 'EAUTH' || code === 'ENOAUTH',
    says: () => 'The mail server refused the user name or the password.',
  },
  {
    type: 'TEMPORARY',
    canRetry: true,
    applies: ({ responseCode }) => responseCode === 450,
    says: answer => `The mail server refused for now: ${answer}`,
  },
  {
    type: 'INVALID_EMAIL_ADDRESS',
    canRetry: false,
    applies: ({ responseCode }) => responseCode === 553,
    says: answer => `The address of the recipient or of the sender is not valid: ${answer}`,
  },
  {
    type: 'REJECTED',
    canRetry: false,
    applies: ({ code, responseCode }) => responseCode === 554 || code === 'EENVELOPE',
    says: answer => `The mail server rejected the mail: ${answer}`,
  },
  {
    type: 'TIMEOUT',
    canRetry: true,
    applies: ({ code, message = '' }) => timeouts.has(code ?? '') && /\btls\b/i.test(message),
    says: () => 'The TLS handshake with the mail server did not end in time. Does the port fit the kind of TLS?',
  },
  {
    type: 'TIMEOUT',
    canRetry: true,
    applies: ({ code }) => timeouts.has(code ?? ''),
    says: () => 'The mail server did not answer in time. Is it running, and are host and port the right ones?',
  },
  {
    type: 'UNKNOWN',
    canRetry: false,
    applies: ({ code, responseCode = 0 }) => code === 'ETLS' && responseCode >= 500,
    says: () => 'The mail server offers no TLS, which is required. Nothing was sent.',
  },
  {
    type: 'UNKNOWN',
    canRetry: true,
    applies: ({ message = '', response = '' }) =>
      /before secure TLS connection|too many requests|450/i.test(`${message} ${response}`),
    says: answer => `The mail server refused the email, probably for now only: ${answer}`,
  },
  {
    type: 'UNKNOWN',
    canRetry: true,
    applies: ({ code, message = '' }, host) => /ECONNRESET/.test(`${code} ${message}`) && host.includes('resend'),
    says: () => 'The mail server ended the connection, probably for now only.',
  },
  {
    type: 'SOCKET_CLOSED',
    canRetry: false,
    applies: ({ message = '' }) => /connection (?:was )?closed|socket (?:closed|hang up)/i.test(message),
    says: () => 'The mail server ended the connection. Is the port the right one?',
  },
];

const unknown: FailureClass = {
  type: 'UNKNOWN',
  canRetry: false,
  applies: () => true,
  says: answer => `The email was not sent: ${answer}`,
};
