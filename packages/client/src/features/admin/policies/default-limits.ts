import { auditRetentionDays, rateLimits } from '@tessera/protocol/limits';
import type { ProjectLimits } from './objects.ts';

/** The limits of a project where its own are null. */
export const defaultLimits: { readonly [Name in keyof ProjectLimits]: number } = {
  failedSignInsPerAccount: rateLimits.failedSignInsPerAccount.points,
  failedSignInsPerAddress: rateLimits.failedSignInsPerAddress.points,
  signUpsPerAddress: rateLimits.signUpsPerAddress.points,
  emailsPerRecipient: rateLimits.mailsPerRecipient.points,
  emailsPerAddress: rateLimits.mailsPerAddress.points,
  emailsPerProject: rateLimits.mailsPerProject.points,
};

/** How long the audit log of a project is kept that has no retention of its own. */
export const defaultRetentionDays: number = auditRetentionDays;
