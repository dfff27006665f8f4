import type { ServerUserJson } from '@tessera/client';
import { type CsvColumn, csvLines, jsonOf } from '../../../files/csv.ts';

const columns: readonly CsvColumn<ServerUserJson>[] = [
  ['id', user => user.id],
  ['display_name', user => user.display_name],
  ['primary_email', user => user.primary_email],
  ['primary_email_verified', user => String(user.primary_email_verified)],
  ['primary_email_auth_enabled', user => String(user.primary_email_auth_enabled)],
  ['otp_auth_enabled', user => String(user.otp_auth_enabled)],
  ['has_password', user => String(user.has_password)],
  ['passkey_auth_enabled', user => String(user.passkey_auth_enabled)],
  ['requires_totp_mfa', user => String(user.requires_totp_mfa)],
  ['is_anonymous', user => String(user.is_anonymous)],
  ['signed_up_at', user => new Date(user.signed_up_at_millis).toISOString()],
  ['last_active_at', user => new Date(user.last_active_at_millis).toISOString()],
  ['oauth_providers', user => JSON.stringify(user.oauth_providers)],
  ['client_metadata', user => jsonOf(user.client_metadata)],
  ['client_read_only_metadata', user => jsonOf(user.client_read_only_metadata)],
  ['server_metadata', user => jsonOf(user.server_metadata)],
];

/** The formats of an export: one row per user. The names of the columns are those that the import recognises. */
export const exportFormats = {
  csv: {
    extension: 'csv',
    type: 'text/csv',
    ...csvLines(columns),
  },
  lines: {
    extension: 'jsonl',
    type: 'application/jsonl',
    head: '',
    line: (user: ServerUserJson) => `${JSON.stringify(user)}\n`,
  },
} as const;
