import { auditRetentionDays, rateLimits } from '@tessera/protocol/limits';
import type { ProjectLimits } from './objects.ts';

/**
 * The limits of a project where its own are null.
 *
 * @example
 * const { signUpsPerAddress } = await app.getLimits();
 * console.log(signUpsPerAddress ?? defaultLimits.signUpsPerAddress);
 */
export const defaultLimits: { readonly [Name in keyof ProjectLimits]: number } = {
  failedSignInsPerAccount: rateLimits.failedSignInsPerAccount.points,
  failedSignInsPerAddress: rateLimits.failedSignInsPerAddress.points,
  signUpsPerAddress: rateLimits.signUpsPerAddress.points,
  emailsPerRecipient: rateLimits.mailsPerRecipient.points,
  emailsPerAddress: rateLimits.mailsPerAddress.points,
  emailsPerProject: rateLimits.mailsPerProject.points,
};

/**
 * The days that events of the audit log are kept where the project has no retention of its own.
 *
 * @example
 * const { retentionDays } = await app.getAuditLogSettings();
 * console.log(retentionDays ?? defaultRetentionDays);
 */
export const defaultRetentionDays: number = auditRetentionDays;
