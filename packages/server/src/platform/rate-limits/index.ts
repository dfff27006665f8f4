export { createRateLimits, LimitReached, noRateLimits, type RateLimits, type Spent } from './rate-limits.ts';
export { countInTransaction } from './transaction-count.ts';
export {
  channelAdditionUses,
  clientCreationUses,
  clientWriteUses,
  codeAttemptUses,
  failedSignInUses,
  imageUploadUses,
  type LimitedCall,
  type LimitUse,
  mailQuotaEventUses,
  mailQuotaUses,
  mailUses,
  messageUses,
  oauthFlowUses,
  requestUses,
  signInUses,
  signUpUses,
  testEmailUses,
  unknownBlockUses,
  unknownOAuthCodeUses,
  webhookChangeUses,
} from './uses.ts';
