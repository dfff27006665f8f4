import type { ServerUserJson } from '@tessera/client';
import { guessMapping, readImportFile } from '@tessera/client/import-file';
import { expect, test } from 'vitest';
import { exportFormats } from './export-file.ts';

const user: ServerUserJson = {
  id: 'u1',
  primary_email: 'ada@example.com',
  primary_email_verified: true,
  primary_email_auth_enabled: true,
  display_name: '=HYPERLINK("https://evil.example")',
  client_metadata: { a: [1, 'x'] },
  client_read_only_metadata: null,
  server_metadata: null,
  profile_image_url: null,
  signed_up_at_millis: 0,
  last_active_at_millis: 1000,
  has_password: false,
  auth_with_email: false,
  oauth_providers: [{ id: 'github', account_id: '7', email: null }],
  selected_team_id: null,
  selected_team: null,
  requires_totp_mfa: false,
  otp_auth_enabled: true,
  passkey_auth_enabled: false,
  is_anonymous: false,
};

test('the import recognises the columns of an exported CSV file that it can read', () => {
  const { head, line } = exportFormats.csv;
  expect(guessMapping(readImportFile(head + line(user)).columns)).toEqual({
    display_name: 'display_name',
    primary_email: 'primary_email',
    primary_email_verified: 'primary_email_verified',
    primary_email_auth_enabled: 'primary_email_auth_enabled',
    otp_auth_enabled: 'otp_auth_enabled',
    signed_up_at: 'signed_up_at_millis',
    oauth_providers: 'oauth_providers',
    client_metadata: 'client_metadata',
    client_read_only_metadata: 'client_read_only_metadata',
    server_metadata: 'server_metadata',
  });
});

test('a user becomes one row of a CSV file, and a name is never a formula', () => {
  const { head, line } = exportFormats.csv;
  const { rows } = readImportFile(head + line(user));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    display_name: '\'=HYPERLINK("https://evil.example")',
    primary_email_verified: 'true',
    signed_up_at: '1970-01-01T00:00:00.000Z',
    client_metadata: '{"a":[1,"x"]}',
    server_metadata: '',
  });
});
