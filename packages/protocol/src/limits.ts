const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Path below the public address under which the whole API lies; `/api/latest` is an alias. */
export const apiPath = '/api/v1';

/** Reference version that `check-version` compares with (docs/contract/decisions.md#sdk). */
export const compatibleVersion = '2.8.21';

// Tokens and sessions (docs/contract/tokens-and-sessions.md).
export const accessTokenLifetimeMs = 10 * minute;
/** Clients ask for tokens with up to 60 s left, so a shorter life would make them refresh without end. */
export const accessTokenMinLifetimeMs = 2 * minute;
export const accessTokenLeftForRequestMs = 20 * second;
export const accessTokenMaxAskedMs = 60 * second;
export const sessionLifetimeMs = 365 * day;
export const sessionMaxLifetimeMs = 367 * day;
export const impersonationMaxLifetimeMs = hour;
/** Sessions of one user: a further one ends the session that was unused for the longest time. */
export const sessionsPerUser = 100;
/** Activity of a session is kept in full for so long before its newest; older activity lives on in the metrics. */
export const activityDetailMs = hour;
/** Where a project rotates refresh tokens (control 25): so long the one before gives the same successor again. */
export const refreshTokenOverlapMs = 30 * second;
/**
 * And so long an old one is recognised: it gets another successor where its own was never used, otherwise it ends the
 * session. Later it is simply unknown.
 */
export const rotatedTokenMemoryMs = 30 * day;
/** Age that the public keys of a project may have in a cache. */
export const publicKeysMaxAgeMs = 5 * minute;
/** Random strings: lower-case Crockford base32, 225 bits written, at least 224 of them random. */
export const randomStringLength = 45;

// Passwords (docs/contract/sign-in-methods.md#password), in UTF-16 units.
export const passwordMinLength = 8;
export const passwordMaxLength = 70;

// One-time codes (docs/contract/sign-in-methods.md#verification-codes and control 17;
// docs/contract/decisions.md#controls-and-the-contract).
export const codeLength = 45;
/** The first characters of a sign-in code are what a person types; the rest is the nonce. */
export const typedCodeLength = 6;
export const signInCodeLifetimeMs = 15 * minute;
export const passwordResetLifetimeMs = hour;
export const emailVerificationLifetimeMs = day;
export const invitationLifetimeMs = 7 * day;
export const mfaAttemptLifetimeMs = 5 * minute;
export const codeMaxAttempts = 20;
export const mfaMaxAttempts = 5;
export const openCodesPerAddress = 10;

// Notices that an account was changed (control 68): more to one address within the window are not sent.
export const noticesPerRecipient = 20;
export const noticeWindowMs = hour;

// Passkeys (docs/contract/sign-in-methods.md#passkeys).
/** How long a browser may ask its user. */
export const passkeyTimeoutMs = 60 * second;
/** A little longer than that, for the way there and back. */
export const passkeyChallengeLifetimeMs = 65 * second;
export const passkeyChallengeBytes = 32;

// OAuth (docs/contract/oauth.md, controls 49 to 51; docs/contract/decisions.md#controls-and-the-contract).
/** From the way to the provider until the way back. */
export const oauthFlowLifetimeMs = 10 * minute;
/** An expired flow is told from one that never was for so long. */
export const oauthFlowKeptMs = day;
export const oauthStateBytes = 32;
export const authorizationCodeLifetimeMs = minute;
/** Random bytes, written as twice as many hexadecimal digits. */
export const authorizationCodeBytes = 32;
/** A second use of a code is noticed, and revokes what the first gave, for so long. */
export const authorizationCodeKeptMs = day;
/** RFC 7636 section 4.1. */
export const codeVerifierMinLength = 43;
export const codeVerifierMaxLength = 128;
/** An access token of a provider is handed out while it has so long to live. */
export const providerTokenMinLifeMs = 5 * minute;
/** Where a provider says nothing. */
export const providerTokenLifetimeMs = hour;
export const githubTokenLifetimeMs = 8 * hour;
/** Of ours: an index must be able to hold it. */
export const providerAccountIdMaxLength = 255;

// Login of command-line programs (docs/contract/sign-in-methods.md#cli-login).
export const cliLoginLifetimeMs = 2 * hour;
export const cliLoginMaxLifetimeMs = day;

// Second factor.
export const totpSecretMinBytes = 16;

// Contact channels.
/** Of ours: channels that one user can have. */
export const contactChannelsMax = 10;

// Fields.
export const profileImageMaxLength = 1_000_000;
/** A larger image inside a data URL is stored as a file of ours; smaller ones stay in the field. */
export const inlineImageMaxBytes = 4 * 1024;
/** Longer edge of a stored image, in pixels. */
export const storedImageMaxEdge = 512;
/** An image with more pixels is refused before it is decoded. */
export const imageMaxPixels = 4096 * 4096;
export const imageConversionTimeoutSeconds = 5;
export const imageConversionsAtOnce = 2;
export const imageConversionsWaiting = 20;
/** A stored image that no row refers to is deleted after this time. */
export const unusedImageKeptMs = hour;
export const displayNameMaxLength = 10_000;
/** Of ours: an index must be able to hold it. */
export const permissionIdMaxLength = 255;
export const metadataMaxBytes = 256 * 1024;

// Projects and their extensions (docs/contract/projects.md; the bounds are ours).
export const projectDescriptionMaxLength = 10_000;
/** In UTF-16 units. */
export const smtpPasswordMaxLength = 70;
/** A project may set its sessions to live this short; the longest is `sessionMaxLifetimeMs`. */
export const sessionPolicyMinLifetimeMs = 5 * minute;
export const freshSignInMinMs = minute;
export const freshSignInMaxMs = 30 * day;
export const ownLimitMax = 1_000_000;
export const auditRetentionMaxDays = 3_650;
export const firstOwnerLinkLifetimeMs = day;

// Lists (control 95; docs/contract/decisions.md#controls-and-the-contract).
export const usersPageDefault = 1_000;
export const usersPageMax = 10_000;

/**
 * How much is too much (controls 22, 70 and 72; docs/contract/decisions.md#controls-and-the-contract): so many in a
 * window that begins with the first. An
 * address is an IPv4 address or an IPv6 /64. A project may set its own figures for sign-ins, mails and sign-ups.
 * The limits (controls 22, 70 and 72; docs/contract/decisions.md#controls-and-the-contract): so many in a window that
 * begins with the first. An address is an IPv4 address or an IPv6 /64. A project may set its own figures for those of
 * sign-up, failed sign-in and mail.
 */
export const rateLimits = {
  /** Per account and address block. */
  failedSignInsPerAccount: { points: 10, windowMs: 15 * minute },
  /** Per account, over all address blocks from which it has not signed in for `signInSourceMemoryMs`. */
  failedSignInsFromUnknownBlocks: { points: 100, windowMs: 15 * minute },
  /** The same for wrong TOTP codes: a six-digit code needs the lower number, and a guesser knows the password. */
  failedSecondFactorsFromUnknownBlocks: { points: 10, windowMs: 15 * minute },
  failedSignInsPerAddress: { points: 100, windowMs: 15 * minute },
  /** Three codes may be guessed at as often as each allows; asking for another one gives no more. */
  codeAttemptsPerAccount: { points: 3 * codeMaxAttempts, windowMs: hour },
  codeAttemptsPerAddress: { points: 600, windowMs: hour },
  mailsPerRecipient: { points: 5, windowMs: hour },
  mailsPerAddress: { points: 100, windowMs: hour },
  /** What is over waits in the queue. Half is reserved for addresses of verified accounts. */
  mailsPerProject: { points: 1_000, windowMs: hour },
  /** Sign-ins that are sent to an OAuth provider: each stores a row. */
  oauthFlowsPerAddress: { points: 1_000, windowMs: hour },
  /** Authorization codes that do not exist. A valid code is exchanged also when none are left. */
  unknownOAuthCodesPerAddress: { points: 300, windowMs: hour },
  mailQuotaEventsPerProject: { points: 1, windowMs: hour },
  signUpsPerAddress: { points: 20, windowMs: hour },
  /** Contact channels that are added or get another address, by clients. */
  channelAdditionsPerUser: { points: 20, windowMs: hour },
  channelAdditionsPerAddress: { points: 60, windowMs: hour },
  /** Writes of a signed-in user through a client: the own profile, teams, and profiles in teams. */
  clientWritesPerUser: { points: 600, windowMs: hour },
  /** Images of more than `inlineImageMaxBytes`, which the server converts. */
  imageUploadsPerUser: { points: 60, windowMs: hour },
  /** Every sign-in opens a session. Generous: a sign-in is an argon2 hash or a code, and few people repeat it. */
  signInsPerAccount: { points: 600, windowMs: hour },
  signInsPerAddress: { points: 6_000, windowMs: hour },
  /** Each writes a row that stays for two hours or longer. */
  cliLoginsPerAddress: { points: 100, windowMs: hour },
  /** A waiting program polls every two seconds: ten programs at once. */
  cliPollsPerAddress: { points: 18_000, windowMs: hour },
  /** Each writes a row. A sign-in page with autofill asks for one at each visit. */
  passkeyChallengesPerAddress: { points: 1_000, windowMs: hour },
  /** Each connects to a mail server that the caller names. */
  testEmailsPerProject: { points: 60, windowMs: hour },
  /** Changes of webhook endpoints, and messages that are sent again: each may cause requests to others. */
  webhookChangesPerProject: { points: 1_000, windowMs: hour },
} as const;
/** A successful sign-in makes an address block known to the account for so long. */
export const signInSourceMemoryMs = 90 * day;
/** A later sign-in from a known block is written at most this often. */
export const signInSourceRefreshMs = day;
/** Password comparisons of one account that a process makes at the same time; the others wait for their turn. */
export const signInsAtOncePerAccount = 4;
export const signInsWaitingPerAccount = 100;

// The audit log (control 97).
export const auditPageDefault = 100;
export const auditPageMax = 1_000;
/** Where a project sets no other. */
export const auditRetentionDays = 365;
/**
 * Failed sign-ins that are alike (account or address block, method, reason) are one row and, at the end of the window,
 * one more with their number.
 */
export const auditFailureWindowMs = 15 * minute;
/** Kinds of failures that a process tells apart in a window; beyond that the failures of a project are one kind. */
export const auditFailureKeysMax = 10_000;
/** Of a program's name in the log. */
export const auditTextMaxLength = 500;

// Metrics (docs/contract/emails-webhooks-metrics.md#metrics).
/** Today and the 30 days before it. */
export const metricDays = 31;
export const recentUsersMax = 5;

// How long rows are kept when they are of no use any more (control 104).
/** Of activity: longer than any session lives, so that each can tell when it was used last. */
export const activityRetentionMs = 400 * day;
/** One-time codes, so that whoever opens an old link is told that it is old. */
export const expiredCodeRetentionMs = 30 * day;
export const expiredCliLoginRetentionMs = day;
/**
 * Expired sessions: an access token works until its own end although its session expires earlier, but not when the
 * session was deleted. So the row outlives the access tokens of the session.
 */
export const expiredSessionRetentionMs = day;
/** Challenges of passkeys and attempts at a second factor, after they have expired. */
export const expiredChallengeRetentionMs = hour;
/** Jobs that were given up, so that whoever looks after the installation can see them. */
export const failedJobRetentionMs = 30 * day;
export const purgeBatchRows = 1_000;

// The shape of a request (control 79).
/** Room for a profile image of `profileImageMaxLength` beside the other fields. */
export const bodyMaxBytes = 1536 * 1024;
export const jsonMaxDepth = 32;
export const jsonMaxKeys = 1000;
export const urlMaxLength = 16 * 1024;
export const headersMaxBytes = 32 * 1024;

// Mail (docs/contract/emails-webhooks-metrics.md).
/** Of failures that may pass; all others are final. */
export const mailMaxAttempts = 3;
/** Doubled after each attempt. */
export const mailFirstRetryMs = 2 * second;
export const testEmailTimeoutMs = 10 * second;
/** Attempts that the log of sent mails shows. */
export const sentEmailsListed = 100;
/** What the digest of failed mails looks back on, and how much of it a mail shows. */
export const failedEmailsWindowMs = day;
export const failedEmailsShown = 10;
export const failedEmailSubjectMaxLength = 50;
/** Of ours: failures of one project that the digest names to the operator; all are counted. */
export const failedEmailsListed = 1_000;
/** Of ours: how long the log of sent mails is kept. */
export const sentEmailRetentionMs = 90 * day;
/** Of ours: letters that nothing could deliver; what they bring has run out by then. */
export const undeliveredMailRetentionMs = 30 * day;

// Requests to others (control 86).
export const outboundTimeoutMs = 10 * second;
export const outboundMaxBytes = 1024 * 1024;
export const outboundMaxRedirects = 5;

// Webhooks (docs/contract/emails-webhooks-metrics.md#webhooks).
/** After the first attempt: 27 hours and 35 minutes in all. */
export const webhookRetryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
] as const;
/** Share of a delay that chance adds, so that what failed together is not tried again together. */
export const webhookRetryJitter = 0.2;
/** An endpoint that has failed for so long, without one success, is disabled. */
export const webhookFailingMaxMs = 5 * day;
export const webhookSecretBytes = 32;
export const webhookSecretMinBytes = 24;
export const webhookSecretMaxBytes = 75;
/** How long what is sent carries a signature by the secret before, too. */
export const webhookSecretOverlapSeconds = day / second;
export const webhookSecretOverlapMaxSeconds = (7 * day) / second;
export const webhookTokenLifetimeMs = day;
export const webhookRetentionMs = 90 * day;
/** Of an answer, in the log. */
export const webhookAnswerMaxBytes = 16 * 1024;
export const webhookEndpointsMax = 50;
export const webhookUrlMaxLength = 2048;
export const webhookDescriptionMaxLength = 1000;
export const webhookUidMaxLength = 256;
export const webhookMetadataMaxBytes = 16 * 1024;
export const webhooksPageDefault = 50;
export const webhooksPageMax = 250;
/** Handing an event over to a Svix server, when it asks for patience. */
export const svixRateLimitRetries = 5;
export const svixRetryDelayMs = second;

// The client's retries (docs/contract/client-runtime.md#request-pipeline).
export const requestMaxAttempts = 5;
export const retryBaseDelayMs = second;
/** Extension: the time that all retries of one request may take. */
export const retryBudgetDefaultMs = 10 * second;

// Idempotency keys (extension).
export const idempotencyKeyMinLength = 16;
export const idempotencyKeyMaxLength = 255;
export const idempotencyKeyKeptMs = day;
/** A longer response is not stored; a repeated request is then refused. */
export const idempotencyResponseMaxLength = 256 * 1024;
/** Retry-After for a repeated request while the first one runs. */
export const idempotencyRetrySeconds = 1;
/** A write that has no stored response after this time was interrupted. */
export const idempotencyInterruptedAfterMs = 30 * second;
/** While the database is away, a key is freed in the background. */
export const idempotencyReleasePauseMs = second / 2;
export const idempotencyReleaseAttempts = 60;
