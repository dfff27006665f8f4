import { fail } from '@tessera/protocol';
import type { AuditedCall } from '../../../core/audit-event.ts';
import type { Projects } from '../projects.ts';

/**
 * Checks the key of a server or admin again, before a change for which the request had to wait: a revoked key could
 * still set the password of a user. As at the beginning of a request, another process learns of a revocation within a second.
 *
 * @throws INVALID_SECRET_SERVER_KEY, INVALID_SUPER_SECRET_ADMIN_KEY
 */
export async function assertKeyUsable(
  { level, project, keySetId }: Pick<AuditedCall, 'level' | 'project' | 'keySetId'>,
  projects: Projects,
): Promise<void> {
  if (level === 'client' || keySetId === undefined) return;
  const loaded = await projects.find(project.id);
  if (loaded !== undefined && projects.hasKeySet(loaded, keySetId)) return;
  fail(level === 'server' ? 'INVALID_SECRET_SERVER_KEY' : 'INVALID_SUPER_SECRET_ADMIN_KEY', { project_id: project.id });
}
