import type { ImportField } from '@tessera/client/import-file';

/** The words about the content of an import file. */
export const acceptedWords = {
  title: 'What the file contains',
  description:
    'One user per row, with any of these columns. Each user needs an email address or a name. Usual names from other systems, such as email, name or createdAt, are recognized, and you can assign the columns after you have chosen the file.',
  columns: 'Accepted columns',
  sample: 'Download a sample file',
  hashes: 'Password hashes',
  hashFormats: [
    { name: 'bcrypt', form: '$2a$, $2b$ or $2y$', limit: 'cost 4 to 16' },
    { name: 'argon2id', form: '$argon2id$v=19$m=…,t=…,p=…$salt$hash', limit: 'at most 256 MB, 10 passes, 8 lanes' },
  ],
  hashesText: 'Users keep their passwords. Each hash is replaced by one of this server at the next sign-in.',
  values: {
    primary_email: 'ada@example.com',
    primary_email_verified: 'true or false, yes or no, 1 or 0',
    primary_email_auth_enabled: 'true or false; without it true for a verified address, a password or an email code',
    display_name: 'Ada Lovelace',
    password_hash: 'bcrypt or argon2id, as described below',
    otp_auth_enabled: 'true or false',
    profile_image_url: 'An http or https URL',
    signed_up_at_millis:
      'A date such as 2024-01-31 or 2024-01-31 22:00, in UTC without an offset, or seconds or milliseconds since 1970',
    client_metadata: 'Readable and writable by the user',
    client_read_only_metadata: 'Readable by the user',
    server_metadata: 'Readable by your server only',
    oauth_providers: 'Of providers that this project has set up: [{"id":"google","account_id":"…","email":"…"}]',
  } satisfies Record<ImportField, string>,
} as const;
