import type { Input, userAdministrationEndpoints } from '@tessera/protocol';
import type { AuditedCall } from '../../core/audit-event.ts';
import type { Project } from '../../core/project.ts';
import type { User } from '../../core/user.ts';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { auditedBy, recordAudit } from '../audit/index.ts';
import { assertTrustedUrl } from '../projects/index.ts';
import { assertPasswordsEnabled, selectAccount } from '../sign-in/index.ts';
import { createCode, linkWithCode } from '../verification-codes/index.ts';

type LinkBody = Input<typeof userAdministrationEndpoints.createLink>['body'];

interface LinkCall extends AuditedCall {
  readonly project: Project;
  readonly body: LinkBody;
}

/**
 * Creates the link that an email would hold, for a caller who delivers it in another way. It has the lifetime of an
 * emailed one and works once, while the person who made it has access to the project.
 */
export async function createUserLink(
  call: LinkCall,
  user: User,
  deps: { readonly db: Database; readonly clock: Clock },
): Promise<{ url: string; expires_at_millis: number }> {
  const { body, project } = call;
  assertTrustedUrl(body.callback_url, project.config);
  if (body.kind === 'password_reset') assertPasswordsEnabled(project.config);
  return transaction(deps.db, async tx => {
    const address = await requireAddress(tx, project.id, { user, kind: body.kind });
    const userId = body.kind === 'sign_in' ? null : user.id;
    const data = call.ownerId === undefined ? {} : { makerId: call.ownerId };
    const made = await createCode(tx, { projectId: project.id, kind: body.kind, userId, address, data }, deps);
    const event = { action: 'user.link_created', userId: user.id, atMillis: deps.clock.now() } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event, details: { kind: body.kind } });
    return { url: linkWithCode(body.callback_url, made.code), expires_at_millis: made.expiresAtMillis };
  });
}

/** The primary address, when it signs in to this user: a link for another one would open another account. */
async function requireAddress(
  tx: Transaction,
  projectId: string,
  { user, kind }: { user: User; kind: LinkBody['kind'] },
): Promise<string> {
  const { primaryEmail } = user;
  const account = primaryEmail === null ? undefined : await selectAccount(tx, projectId, primaryEmail);
  if (primaryEmail === null || account?.userId !== user.id) {
    refuse(400, 'The user has no primary email address that signs in.');
  }
  if (kind === 'sign_in' && !account.isVerified) refuse(400, 'The primary email address of the user is not verified.');
  if (kind === 'sign_in' && account.refusesCodes) refuse(400, 'Sign-in by email is switched off for the user.');
  return primaryEmail;
}
