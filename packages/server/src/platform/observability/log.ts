import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Names whose values are never logged, at any depth of an entry. */
const secretNames = new Set([
  'password',
  'password_hash',
  'old_password',
  'new_password',
  'code',
  'nonce',
  'otp',
  'totp',
  'totp_secret_base64',
  'access_token',
  'refresh_token',
  'client_secret',
  'authorization',
  'cookie',
  'set-cookie',
  'passwordHash',
  'accessToken',
  'refreshToken',
  'publishableClientKey',
  'secretServerKey',
  'superSecretAdminKey',
  'x-stack-access-token',
  'x-stack-refresh-token',
  'x-stack-admin-access-token',
  'x-stack-publishable-client-key',
  'x-stack-secret-server-key',
  'x-stack-super-secret-admin-key',
]);
/** An entry that is nested deeper is cut; no entry of ours is. */
const maxDepth = 8;

/** JWTs, our keys, and every 45-character secret: covers text inside a message or a stack as well. */
const secretText =
  /eyJ[\w-]{1,400}\.[\w-]{1,4000}\.[\w-]{1,400}|\b(?:pck|ssk|sak|sk|pk)_[\w-]{8,}|\b[0-9abcdefghjkmnpqrstvwxyz]{45,}\b|\$(?:argon2id|2[aby])\$[^\s"\\]+/g;
const address =
  /(?<![a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-])([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-])[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]*@((?:[a-zA-Z0-9-]+\.)*[a-zA-Z0-9-]+)/g;

const hidden = '[hidden]';

/** JSON lines. Secrets are removed and addresses are masked: `ada@example.com` is logged as `a…@example.com`. */
export function createLog(options: { level: string; destination?: pino.DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: label => ({ level: label }),
        log: entry => withoutSecrets(entry, 0) as Record<string, unknown>,
      },
      serializers: { error: errorEntry, err: errorEntry },
      hooks: { streamWrite: line => redactText(line) },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

/** Text without secrets and with masked addresses. Controls 23, 96. */
export function redactText(text: string): string {
  return text.replace(secretText, hidden).replace(address, '$1…@$2');
}

/** An error with its causes and its other properties; its `code` is not a secret. */
function errorEntry(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutSecrets(error, 0);
  // The driver attaches its connection to an error, with every statement and the cancel key.
  const { client: _, ...entry } = { ...pino.stdSerializers.errWithCause(error) } as Record<string, unknown>;
  return { ...(withoutSecrets(entry, 0) as object), ...('code' in error ? { code: error.code } : undefined) };
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (depth > maxDepth) return hidden;
  if (Array.isArray(value)) return value.map(item => withoutSecrets(item, depth + 1));
  const entries = Object.entries(value).map(([name, inner]) =>
    secretNames.has(name) ? [name, hidden] : [name, withoutSecrets(inner, depth + 1)],
  );
  return Object.fromEntries(entries);
}
