import { totpSecretPurpose } from '../features/accounts/users/index.ts';
import { caughtMailPurpose } from '../features/email/catcher/transport.ts';
import { messagePurpose } from '../features/email/messages/text.ts';
import { mailSubjectPurpose } from '../features/email/queue/attempts.ts';
import { mailBodyPurpose } from '../features/email/queue/bulk-email.ts';
import { mailVariablesPurpose } from '../features/email/queue/index.ts';
import { idempotencyResponsePurpose } from '../features/idempotency/index.ts';
import { oauthFlowPurpose } from '../features/oauth/authorize/flow.ts';
import { providerTokenPurposes } from '../features/oauth/connected-accounts/provider-tokens.ts';
import { providerTestPurpose } from '../features/oauth/provider-tests/outcome.ts';
import { providerSignInPurpose } from '../features/oauth/token/provider-sign-in.ts';
import { cliLoginPurpose } from '../features/sign-in/cli-login/routes.ts';
import { webhookSecretsPurpose } from '../features/webhooks/endpoints/secrets.ts';
import type { EncryptedColumn } from '../platform/crypto/reencryption.ts';
import { type Statement, sql } from '../platform/database/sql.ts';

/**
 * All columns that are encrypted under the installation's secret, except the settings of projects. A feature that
 * encrypts a column adds a line; without it, a change of the secret would lose the values. A test searches the schema.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn('users.totp_secret', sql`users`, sql`totp_secret`, constantPurpose(totpSecretPurpose)),
  encryptedColumn(
    'webhook_endpoints.secrets',
    sql`webhook_endpoints`,
    sql`secrets`,
    constantPurpose(webhookSecretsPurpose),
  ),
  encryptedColumn(
    'oauth_tokens.token',
    sql`oauth_tokens`,
    sql`token`,
    sql`case kind when 'access' then ${providerTokenPurposes.access} else ${providerTokenPurposes.refresh} end`,
  ),
  encryptedColumn('oauth_flows.request', sql`oauth_flows`, sql`request`, constantPurpose(oauthFlowPurpose)),
  encryptedColumn(
    'oauth_provider_tests.outcome',
    sql`oauth_provider_tests`,
    sql`outcome`,
    constantPurpose(providerTestPurpose),
  ),
  encryptedColumn(
    'oauth_authorization_codes.provider_sign_in',
    sql`oauth_authorization_codes`,
    sql`provider_sign_in`,
    constantPurpose(providerSignInPurpose),
  ),
  encryptedColumn('cli_logins.refresh_token', sql`cli_logins`, sql`refresh_token`, constantPurpose(cliLoginPurpose)),
  encryptedColumn('mails.variables', sql`mails`, sql`variables`, constantPurpose(mailVariablesPurpose)),
  encryptedColumn('mail_bodies.sealed', sql`mail_bodies`, sql`sealed`, constantPurpose(mailBodyPurpose)),
  encryptedColumn('messages.sealed', sql`messages`, sql`sealed`, constantPurpose(messagePurpose)),
  encryptedColumn('sent_mails.subject', sql`sent_mails`, sql`subject`, constantPurpose(mailSubjectPurpose)),
  encryptedColumn('caught_mails.message', sql`caught_mails`, sql`message`, constantPurpose(caughtMailPurpose)),
  encryptedColumn(
    'idempotency_keys.response',
    sql`idempotency_keys`,
    sql`response`,
    constantPurpose(idempotencyResponsePurpose),
  ),
];

function encryptedColumn(name: string, table: Statement, column: Statement, purpose: Statement): EncryptedColumn {
  return { name, table, column, purpose };
}

function constantPurpose(purpose: string): Statement {
  return sql`${purpose}::text`;
}
