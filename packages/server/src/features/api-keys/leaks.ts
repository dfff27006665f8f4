import type { RequestSource } from '../../core/request-source.ts';
import type { Clock } from '../../platform/clock.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { type Database, transaction } from '../../platform/database/database.ts';
import { countNotice } from '../accounts/users/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { Mail } from '../email/queue/index.ts';
import { withoutLinks } from '../email/templates/index.ts';
import { membersWithPermission, type PermissionDefinitions } from '../permissions/index.ts';
import type { Projects } from '../projects/index.ts';
import { mustRevokeLeaked } from './rules.ts';
import { type ApiKey, revokeOnce, selectLeakedKey, selectPrimaryEmails } from './store.ts';

export interface KeyLeakDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly projects: Projects;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly mail: Mail;
}

/**
 * Revokes a key that was found in public, and sends an email to the users who can replace it, within the limits of notices
 * (control 72). A second report sends none. Control 94.
 *
 * @throws API_KEY_NOT_FOUND, PUBLIC_API_KEY_CANNOT_BE_REVOKED, API_KEY_EXPIRED
 */
export async function revokeLeakedKey(presented: string, source: RequestSource, deps: KeyLeakDeps): Promise<void> {
  const nowMillis = deps.clock.now();
  const key = await selectLeakedKey(deps.db, sha256(presented));
  if (!mustRevokeLeaked<ApiKey>(key, nowMillis)) return;
  const { projectId, id, description, lastFour } = key;
  const recipients = await selectPrimaryEmails(deps.db, projectId, await selectManagers(key, deps));
  const loaded = await deps.projects.find(projectId);
  // The creator of the key has chosen the text, and perhaps an address of another person.
  const safe = { description: withoutLinks(description), lastFour };
  const variables = { ...safe, projectDisplayName: loaded?.project.displayName ?? '' };
  await transaction(deps.db, async tx => {
    if (!(await revokeOnce(tx, projectId, id, nowMillis))) return;
    await recordAudit(tx, {
      projectId,
      action: 'api_key.revoked',
      actor: { type: 'system', id: null },
      userId: key.owner.kind === 'user' ? key.owner.id : null,
      subject: { type: 'api_key', id },
      source,
      details: { reason: 'found in public' },
      atMillis: nowMillis,
    });
    for (const { userId, address: recipient, isVerified } of recipients) {
      if (!(await countNotice(tx, recipient, { projectId, userId, isVerified }, nowMillis))) continue;
      const countsInQuota = !isVerified;
      await deps.mail.send(tx, { projectId, template: 'api_key_leaked', recipient, variables, countsInQuota });
    }
  });
}

/** The users who can replace a key. */
function selectManagers({ projectId, owner }: ApiKey, deps: KeyLeakDeps): Promise<string[]> | string[] {
  if (owner.kind === 'user') return [owner.id];
  return membersWithPermission(deps, projectId, { teamId: owner.id, permissionId: '$manage_api_keys' });
}
