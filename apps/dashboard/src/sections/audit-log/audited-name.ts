import type { AuditedUser } from '@tessera/client';

/** The displayed name of a user of an event: email address, else display name, else the id. */
export function auditedName({ primaryEmail, displayName }: AuditedUser, id: string): string {
  return primaryEmail || displayName?.trim() || id;
}
