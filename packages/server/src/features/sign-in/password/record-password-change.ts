import type { AuditedCall } from '../../../core/audit-event.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { newPasswordNotice, sendAccountNotice } from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { deleteAttempts } from '../../verification-codes/index.ts';

export interface RecordPasswordChangeDeps {
  readonly clock: Clock;
  readonly mail: Mail;
}

interface PasswordChange {
  readonly call: AuditedCall;
  readonly action: 'factor.password_set' | 'factor.password_changed' | 'factor.password_reset';
  readonly userId: string;
  /** The account had a password before; false by default for `factor.password_set`. */
  readonly hadPassword?: boolean;
  /** The recipients of the notice. */
  readonly to: readonly (string | null)[];
}

/** Ends the sign-ins that have begun (control 21), sends the notice, and writes the audit event. */
export async function recordPasswordChange(
  tx: Transaction,
  change: PasswordChange,
  deps: RecordPasswordChangeDeps,
): Promise<void> {
  const { call, action, userId, hadPassword = action !== 'factor.password_set', to } = change;
  const projectId = call.project.id;
  await deleteAttempts(tx, { projectId, userId });
  await sendAccountNotice(tx, { projectId, userId, ...newPasswordNotice(hadPassword, to), by: call }, deps);
  await recordAudit(tx, { ...auditedBy(call), action, userId, atMillis: deps.clock.now() });
}
