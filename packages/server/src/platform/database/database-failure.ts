const away = 'Check that it runs, and check DATABASE_URL.';

const badCertificate = (error: Error) =>
  `The certificate of the database is refused (${error.message}). If an authority of your own issued it, add sslmode=verify-full&sslrootcert=/path/to/ca.crt to DATABASE_URL.`;

/** By the code of the system or of PostgreSQL, or by the text of an error of the driver, which has no code. */
const sentences: Readonly<Record<string, (error: Error) => string>> = {
  ECONNREFUSED: error => `The connection was refused (${error.message}). ${away}`,
  ENOTFOUND: error => `The host name is unknown (${error.message}). ${away}`,
  EAI_AGAIN: error => `The host name cannot be resolved at the moment (${error.message}). ${away}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: badCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: badCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: badCertificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: badCertificate,
  CERT_HAS_EXPIRED: badCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: badCertificate,
  'The server does not support SSL connections': () =>
    'DATABASE_URL asks for TLS, and the database has none. Switch it on there (ssl = on), or remove sslmode from DATABASE_URL.',
  'Connection terminated unexpectedly': () =>
    'The database closed the connection. Check that it runs, and that DATABASE_URL leads to PostgreSQL.',
  '28P01': error => `The database refuses the password (${error.message}). Correct it in DATABASE_URL.`,
  '28000': error => `The database refuses the account (${error.message}). Correct it in DATABASE_URL.`,
  '3D000': error => `There is no such database (${error.message}). Create it, or correct DATABASE_URL.`,
  '25006': error =>
    `The database accepts no writes (${error.message}). Connect to the primary, and reset default_transaction_read_only of the database and the account.`,
  '42501': error => `The database account may not do this (${error.message}). Give it the rights of the owner.`,
  '53100': () => 'The disk of the database is full. Free some space and try again. Nothing was changed.',
};

/** What a failed connection or statement means for the operator, and the remedy; undefined for every other failure. */
export function describeDatabaseFailure(error: Error): string | undefined {
  const code = 'code' in error ? String(error.code) : '';
  return (sentences[code] ?? sentences[error.message])?.(messageOf(error));
}

/** A host with several addresses fails with one error for each address, and an empty message of its own. */
function messageOf(error: Error): Error {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message === '' && first instanceof Error ? first : error;
}
