// A product of constants stays in every bundle that imports one number of this file. Bundlers drop an unused call of these
// functions.

/* @__NO_SIDE_EFFECTS__ */
function seconds(count: number): number {
  return count * 1000;
}

/* @__NO_SIDE_EFFECTS__ */
function minutes(count: number): number {
  return count * 60_000;
}

/* @__NO_SIDE_EFFECTS__ */
function hours(count: number): number {
  return count * 3_600_000;
}

/* @__NO_SIDE_EFFECTS__ */
function days(count: number): number {
  return count * 86_400_000;
}

/** Path of the API below the public URL; `/api/latest` is an alias. */
export const apiPath = '/api/v1';

/** Reference version of `check-version` (docs/contract/decisions.md#sdk). */
export const compatibleVersion = '2.8.21';

// Tokens and sessions (docs/contract/tokens-and-sessions.md).
export const accessTokenLifetimeMs = minutes(10);
/** Clients request tokens with up to 60 s left, so with a shorter lifetime they would refresh in a loop. */
export const accessTokenMinLifetimeMs = minutes(2);
/** A client sends an access token that is valid for at least this long; otherwise it refreshes the token first. */
export const accessTokenLeftForRequestMs = seconds(20);
/** Longer texts are refused before they are parsed. */
export const accessTokenMaxLength = 4_096;
/** An app may ask the client for a token that is valid for longer. The time that it asks for is below this. */
export const accessTokenMaxAskedMs = seconds(60);
export const sessionLifetimeMs = days(365);
export const sessionMaxLifetimeMs = days(367);
export const impersonationMaxLifetimeMs = hours(1);
/** Sessions of one user: a further one ends another (docs/contract/decisions.md#sessions). */
export const sessionsPerUser = 100;
/** Activity of a session is stored in full for this long before its newest entry; older activity is only in the metrics. */
export const activityDetailMs = hours(1);
/** For projects that rotate refresh tokens (control 25): the previous token returns the same successor for this long. */
export const refreshTokenOverlapMs = seconds(30);
/**
 * An old token is recognised for this long: it gets another successor if its own was never used, otherwise it ends the
 * session. After that it is unknown.
 */
export const rotatedTokenMemoryMs = days(30);
/** Cache lifetime of a project's public keys. */
export const publicKeysMaxAgeMs = minutes(5);
/** Random strings: lower-case Crockford base32, 225 bits, of which at least 224 are random. */
export const randomStringLength = 45;
/** Crockford's base32 in lower case: no i, l, o, u. A random byte gives the character of its last five bits. */
export const base32Alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

// Passwords (docs/contract/sign-in-methods.md#password), in UTF-16 units.
export const passwordMinLength = 8;
export const passwordMaxLength = 70;
/** Extension. Of the hash that a server gives instead of a password. */
export const passwordHashMaxLength = 512;

// One-time codes (docs/contract/sign-in-methods.md#verification-codes and control 17;
// docs/contract/decisions.md#controls-and-the-contract).
export const codeLength = 45;
/** The user types the first characters of a sign-in code; the rest is the nonce. */
export const typedCodeLength = 6;
export const signInCodeLifetimeMs = minutes(15);
export const passwordResetLifetimeMs = hours(1);
export const emailVerificationLifetimeMs = days(1);
export const invitationLifetimeMs = days(7);
export const mfaAttemptLifetimeMs = minutes(5);
export const codeMaxAttempts = 20;
export const mfaMaxAttempts = 5;
export const openCodesPerAddress = 10;

// Recovery codes (docs/contract/decisions.md#account-safety): 80 random bits each.
export const recoveryCodeCount = 10;
export const recoveryCodeLength = 16;

// Account notices (control 68): further ones of one account to the same address within the window are not sent.
export const noticesPerRecipient = 20;
/** Account notices to an unverified address, from all accounts of the project together (control 72). */
export const noticesPerUnverifiedRecipient = 5;
export const noticeWindowMs = hours(1);

// Passkeys (docs/contract/sign-in-methods.md#passkeys).
/** Time limit of the browser's passkey dialog. */
export const passkeyTimeoutMs = seconds(60);
/** Slightly longer, for network latency. */
export const passkeyChallengeLifetimeMs = seconds(65);
export const passkeyChallengeBytes = 32;
/** Extension: passkeys of one user. All of them are in the options of a registration and on the account page. */
export const passkeysMax = 100;
/** Extension: the longest name that an owner gives to a passkey. */
export const passkeyNameMaxLength = 100;
/** WebAuthn knows seven transports. */
export const passkeyTransportsMax = 20;
/** Base64url of the longest credential id (WebAuthn Level 3, 7.1). */
export const credentialIdMaxLength = 1364;

// OAuth (docs/contract/oauth.md, controls 49 to 51; docs/contract/decisions.md#controls-and-the-contract).
/** The time from the redirect to the provider until the callback. */
export const oauthFlowLifetimeMs = minutes(10);
/** For this long an expired flow is distinguished from an unknown one. */
export const oauthFlowKeptMs = days(1);
export const oauthStateBytes = 32;
/** Flows that a browser has open at the same time: with one more the oldest ends. */
export const oauthFlowsPerBrowserMax = 10;
/** Extension: the result of a provider test can be read for this long. */
export const providerTestLifetimeMs = minutes(10);
export const authorizationCodeLifetimeMs = minutes(1);
/** Random bytes; the code has twice as many hexadecimal digits. */
export const authorizationCodeBytes = 32;
/** For this long a second use of a code is detected, and revokes the tokens of the first use. */
export const authorizationCodeKeptMs = days(1);
/** RFC 7636 section 4.1. */
export const codeVerifierMinLength = 43;
export const codeVerifierMaxLength = 128;
/** A provider's access token is returned only if it is valid for at least this long. */
export const providerTokenMinLifeMs = minutes(5);
/** Used when a provider does not state a lifetime. */
export const providerTokenLifetimeMs = hours(1);
export const githubTokenLifetimeMs = hours(8);
/** Extension: the longest value that fits an index. */
export const providerAccountIdMaxLength = 255;

// Login of command-line programs (docs/contract/sign-in-methods.md#cli-login).
export const cliLoginLifetimeMs = hours(2);
export const cliLoginMaxLifetimeMs = days(1);
/** Extension: a refresh token that waits for its program is stored without being verified. */
export const cliRefreshTokenMaxLength = 500;

// Second factor.
/** Extension: 80 bits, which many authenticator apps and imported accounts have; fewer could be guessed. */
export const totpSecretMinBytes = 10;
/** Extension: an authenticator app scans it as a QR code. A multiple of 3, as base64 counts. */
export const totpSecretMaxBytes = 240;

// Contact channels.
/** Extension: the most channels per user. */
export const contactChannelsMax = 10;

// Fields.
export const profileImageMaxLength = 1_000_000;
/** A larger image inside a data URL is stored as a file; smaller ones stay in the field. */
export const inlineImageMaxBytes = 4 * 1024;
/** The longer edge of a stored image, in pixels. */
export const storedImageMaxEdge = 512;
/** An image with more pixels is refused before it is decoded. */
export const imageMaxPixels = 4096 * 4096;
/** A narrow image takes seconds to shrink. */
export const imageMaxEdge = 16_384;
/** The scans of a progressive JPEG. Encoders write about ten; the decoder's time grows with their number. */
export const jpegScansMax = 100;
export const imageConversionTimeoutSeconds = 5;
export const imageConversionsAtOnce = 2;
export const imageConversionsWaiting = 20;
/** The waiting image conversions of a user. One conversion of each user runs at a time. */
export const imageConversionsWaitingPerUser = 4;
/** The waiting image conversions of the servers of a project. One conversion for them runs at a time. */
export const imageConversionsWaitingPerServer = 8;
/** A stored image without references is deleted after this time. */
export const unusedImageKeptMs = hours(1);
export const displayNameMaxLength = 10_000;
/** Extension: a local part of 64 and a domain of 255 (RFC 5321, section 4.5.3.1). */
export const emailMaxLength = 320;
/** The description of a project, a permission or a key set, in UTF-16 units. */
export const descriptionMaxLength = 10_000;
/** Extension: the longest value that fits an index. */
export const permissionIdMaxLength = 255;
/**
 * Permission ids in a list of a request. Each id is checked: without a limit, a list of wrong ones blocks a process for
 * seconds.
 */
export const permissionIdsMax = 1_000;
/**
 * All permission definitions of a project as JSON, in UTF-16 units: room for 1,000 of a hundred characters, each of which
 * contains thirty others. Each process keeps them in memory, and reads all after a change.
 */
export const permissionDefinitionsMaxLength = 1_000_000;
/** Users write it, and lists of keys have no pages. */
export const apiKeyDescriptionMaxLength = 1_000;
export const apiKeyScopesMax = 50;
export const apiKeyScopeMaxLength = 100;
export const metadataMaxBytes = 256 * 1024;

// Projects and their extensions (docs/contract/projects.md; the limits are extensions).
/** Projects that a person owns. The list has no pages, and the ids are in a column of the user that authentication reads. */
export const ownedProjectsMax = 1_000;
/** Every check of a link reads all domains. */
export const projectDomainsMax = 1_000;
/** All trusted domains of a project with their handler paths, in UTF-16 units. The server keeps them in memory. */
export const domainsMaxLength = 100_000;
export const projectProvidersMax = 100;
/** Entries in each list of the sign-up restrictions (docs/contract/sign-in-methods.md#sign-up-restrictions). */
export const signUpEntriesMax = 1_000;
/** RFC 1035, section 2.3.4, as text. */
export const domainMaxLength = 253;
/** The password of a project's mail server, in UTF-16 units. */
export const smtpPasswordMaxLength = 70;
/** The user name and the sender's name of a mail server, in UTF-16 units. The log repeats them with each email. */
export const smtpNameMaxLength = 500;
/** Each id and secret of a client at a sign-in provider, in UTF-16 units. Apple's secret is a JWT of some hundred. */
export const providerClientMaxLength = 4_000;
/** The shortest session lifetime that a project may set; the longest is `sessionMaxLifetimeMs`. */
export const sessionPolicyMinLifetimeMs = minutes(5);
export const freshSignInMinMs = minutes(1);
export const freshSignInMaxMs = days(30);
/** What our own tools set for new projects: long enough for several changes in a row. */
export const newProjectFreshSignInMs = minutes(10);
export const ownLimitMax = 1_000_000;
export const auditRetentionMaxDays = 3_650;
/** The longest time between the request of a user to delete the own account, and the deletion. */
export const deletionCoolingOffMaxDays = 30;
/** Branding of emails. */
export const brandUrlMaxLength = 2_048;
export const postalAddressMaxLength = 300;
export const firstOwnerLinkLifetimeMs = days(1);

// People who manage a project (docs/contract/projects.md#members-and-roles).
export const projectMembersMax = 100;
export const projectInvitationsMax = 50;
/** Deletion, keys, secrets, members and transfer need a sign-in or a reauthentication of the person that is no older. */
export const ownerRecentSignInMs = hours(1);
/** The maximum age of the sign-in with which a person opens the account of a user, by a link or an impersonation. */
export const userAccessRecentSignInMs = minutes(10);

/**
 * Key sets of a project that are not revoked, expired ones included. Each process keeps their hashes in memory, and a
 * request with a wrong key, which anyone can send, reads all of them once a second.
 */
export const keySetsMax = 1_000;
/** The last use of a key set is written once in every step in which it is used. */
export const keySetUseStepMs = minutes(1);

// Lists (control 95; docs/contract/decisions.md#controls-and-the-contract).
/**
 * The rows that a list reads from the database, in bytes. Beyond it a page of users or teams becomes shorter, and
 * another list is refused.
 */
export const listMaxBytes = 32 * 1024 * 1024;
export const usersPageDefault = 1_000;
export const usersPageMax = 10_000;
export const teamListPageDefault = 100;
export const teamListPageMax = 1_000;

// Administration of users (docs/contract/user-administration.md).
export const userFilterPageDefault = 100;
export const userFilterPageMax = 1_000;
/** Users that one page reads at most: a rare filter costs more pages, never a longer one. */
export const userFilterReadMax = 20_000;
/** Exports of a project that a process writes at once: of its users and of its audit log. Each keeps the process busy. */
export const exportsAtOnceMax = 4;
export const importBatchMax = 100;
/** The users in a request of our own importers, as JSON: below `largeBodyMaxBytes`, with room for multi-byte characters. */
export const importBatchMaxCharacters = 400_000;
/** An impersonation that an owner opens in the dashboard. */
export const ownerImpersonationLifetimeMs = minutes(15);
export const impersonationReasonMinLength = 5;
export const impersonationReasonMaxLength = 500;
/** Extension: why a user is suspended. */
export const suspensionReasonMaxLength = 500;

/**
 * Rate limits (controls 22, 70 and 72; docs/contract/decisions.md#controls-and-the-contract): the number of attempts in a
 * window that begins with the first one. An address is an IPv4 address or an IPv6 /64. A project may set its own limits
 * for sign-up, failed sign-in and email.
 */
export const rateLimits = {
  /** Per account and address block. */
  failedSignInsPerAccount: { points: 10, windowMs: minutes(15) },
  /** Per account, over all address blocks without a sign-in within `signInSourceMemoryMs`. */
  failedSignInsFromUnknownBlocks: { points: 100, windowMs: minutes(15) },
  /** The same for wrong TOTP codes: a six-digit code needs the lower limit, and the attacker knows the password. */
  failedSecondFactorsFromUnknownBlocks: { points: 10, windowMs: minutes(15) },
  failedSignInsPerAddress: { points: 100, windowMs: minutes(15) },
  /**
   * Per account and kind of code. Three codes may be open at once, with their full number of attempts each; a further code
   * adds one attempt: a right code is accepted when no guess at it was made before.
   */
  codeAttemptsPerAccount: { points: 3 * codeMaxAttempts, windowMs: hours(1) },
  /** Per address block, over all accounts. Refuses right codes too: otherwise each requested code would allow a guess. */
  codeAttemptsPerAddress: { points: 600, windowMs: hours(1) },
  mailsPerRecipient: { points: 5, windowMs: hours(1) },
  /** Per purpose, over all projects that send through the mail server of an installation where every user may create projects. */
  sharedMailsPerRecipient: { points: 20, windowMs: hours(1) },
  mailsPerAddress: { points: 100, windowMs: hours(1) },
  /** Emails above the limit wait in the queue. Half is reserved for addresses of verified accounts. */
  mailsPerProject: { points: 1_000, windowMs: hours(1) },
  /** Sign-ins that redirect to an OAuth provider: each stores a row. */
  oauthFlowsPerAddress: { points: 1_000, windowMs: hours(1) },
  /** Authorization codes that do not exist. A valid code is still exchanged when the limit is reached. */
  unknownOAuthCodesPerAddress: { points: 300, windowMs: hours(1) },
  mailQuotaEventsPerProject: { points: 1, windowMs: hours(1) },
  signUpsPerAddress: { points: 20, windowMs: hours(1) },
  /** Contact channels that clients add, give another address, or make a sign-in address. */
  channelAdditionsPerUser: { points: 20, windowMs: hours(1) },
  channelAdditionsPerAddress: { points: 60, windowMs: hours(1) },
  /** Writes of a signed-in user through a client: the own profile and addresses, teams, and profiles in teams. */
  clientWritesPerUser: { points: 600, windowMs: hours(1) },
  /** Teams and API keys that a signed-in user creates through a client: each stays until it is deleted. */
  teamCreationsPerUser: { points: 60, windowMs: hours(1) },
  apiKeyCreationsPerUser: { points: 60, windowMs: hours(1) },
  /** Projects that an owner creates. Generous, because test suites create one for each test. */
  projectCreationsPerUser: { points: 300, windowMs: hours(1) },
  /** Images of more than `inlineImageMaxBytes`, which the server converts. */
  imageUploadsPerUser: { points: 60, windowMs: hours(1) },
  /** Exports of the own data. */
  dataExportsPerUser: { points: 5, windowMs: days(1) },
  /**
   * Every sign-in creates a session. The limit is generous: each costs an argon2 hash or a code, and few users repeat it.
   * Right passwords that a signed-in user sends again are counted apart.
   */
  signInsPerAccount: { points: 600, windowMs: hours(1) },
  signInsPerAddress: { points: 6_000, windowMs: hours(1) },
  /** Where refresh tokens rotate: each exchange stores a row for `rotatedTokenMemoryMs`. */
  tokenExchangesPerSession: { points: 600, windowMs: hours(1) },
  /** Each attempt stores a row for two hours or longer. */
  cliLoginsPerAddress: { points: 100, windowMs: hours(1) },
  /** A CLI polls every two seconds: ten at once. */
  cliPollsPerAddress: { points: 18_000, windowMs: hours(1) },
  /** Each attempt stores a row. A sign-in page with autofill makes one per visit. */
  passkeyChallengesPerAddress: { points: 1_000, windowMs: hours(1) },
  /** Invitations to manage a project, whose emails the installation sends. */
  projectInvitationsPerRecipient: { points: 5, windowMs: hours(1) },
  projectInvitationsPerUser: { points: 60, windowMs: hours(1) },
  /** Each attempt connects to a mail server that the caller sets. */
  testEmailsPerProject: { points: 60, windowMs: hours(1) },
  /** Failed emails that an administrator sends again. */
  emailsSentAgainPerProject: { points: 300, windowMs: hours(1) },
  /** Messages to users, and the batches in which they are queued: 100,000 users an hour. Further batches wait. */
  messagesPerProject: { points: 60, windowMs: hours(1) },
  messageBatchesPerProject: { points: 200, windowMs: hours(1) },
  /** Changes of webhook endpoints, and resent messages: each may cause outbound requests. */
  webhookChangesPerProject: { points: 1_000, windowMs: hours(1) },
} as const;
/**
 * A change of a user or a team counts once more in `clientWritesPerUser` for each such number of characters that the object
 * has as JSON: webhooks keep a copy of it for each change.
 */
export const clientWriteLength = 32 * 1024;
/** The name of a rate limit, as in the audit log. */
export type RateLimitName = keyof typeof rateLimits;
/** A successful sign-in makes an address block known to the account for this long. */
export const signInSourceMemoryMs = days(90);
/** A later sign-in from a known block is recorded at most this often. */
export const signInSourceRefreshMs = days(1);
/** Concurrent password comparisons of one account in a process; further ones wait. */
export const signInsAtOncePerAccount = 4;
export const signInsWaitingPerAccount = 100;

// Teams.
export const teamRolesMax = 20;
export const teamMembersPageDefault = 100;
export const teamMembersPageMax = 200;

// The audit log (control 97).
export const auditPageDefault = 100;
export const auditPageMax = 1_000;
/** Rows of each kind in an export of the own data. */
export const dataExportRowsMax = 1_000;
/** Events of a page of the own security activity. */
export const ownActivityPageMax = 50;
/** For projects without their own value. */
export const auditRetentionDays = 365;
/** Equal failed sign-ins (account or address block, method, reason) of one window are few rows, and one row with a count. */
export const auditFailureWindowMs = minutes(15);
/** Equal failures of a window that have rows of their own, so that the trace id of each is found. Further ones are counted. */
export const auditFailuresOfKindMax = 10;
/** Rows for repeated failures that a process writes in a window, of all kinds together. */
export const auditRepeatedFailuresMax = 1_000;
/** Kinds of failures that a process distinguishes in a window; further failures of a project count as one kind. */
export const auditFailureKeysMax = 10_000;
/** Of a user agent in the log. */
export const auditTextMaxLength = 500;

// Metrics (docs/contract/emails-webhooks-metrics.md#metrics).
/** Today and the 30 days before it. */
export const metricDays = 31;
/** Days that the history of metrics lists at most. */
export const metricHistoryDaysMax = 366;
/** Months that the history lists: this one and the 11 before it. */
export const metricMonths = 12;
export const recentUsersMax = 5;

// Retention of rows that are no longer needed (control 104).
/** Of activity: longer than any session lifetime, so that each session has its last use. */
export const activityRetentionMs = days(400);
/** One-time codes, so that a user who opens an old link is told that it has expired. */
export const expiredCodeRetentionMs = days(30);
export const expiredCliLoginRetentionMs = days(1);
/**
 * Expired sessions: an access token is valid until its own expiry although its session expires earlier, but not after the
 * session is deleted. So the row is kept longer than the access tokens of the session.
 */
export const expiredSessionRetentionMs = days(1);
/** Passkey challenges and second-factor attempts, after they have expired. */
export const expiredChallengeRetentionMs = hours(1);
/** Jobs without further attempts, so that the operator can inspect them. */
export const failedJobRetentionMs = days(30);
export const purgeBatchRows = 1_000;

// The size of a request (control 79).
/** Of an endpoint without `largeBody`. */
export const bodyMaxBytes = 256 * 1024;
/** Of an endpoint with `largeBody`. Includes a profile image of `profileImageMaxLength` and the other fields. */
export const largeBodyMaxBytes = 1536 * 1024;
export const jsonMaxDepth = 32;
/** Of one object. */
export const jsonMaxKeys = 1000;
/** Objects, lists and keys of a body together. */
export const jsonMaxNodes = 100_000;
export const urlMaxLength = 16 * 1024;
/** Violations of the body, the query or the parameters that a SCHEMA_ERROR lists; it counts the others. */
export const violationsListedMax = 100;
/** Of the description of a violation; a longer one is cut. */
export const violationMaxLength = 2_000;
export const headersMaxBytes = 32 * 1024;

// Email (docs/contract/emails-webhooks-metrics.md).
/** For temporary failures; all other failures are final. */
export const mailMaxAttempts = 3;
/** Doubled after each attempt. */
export const mailFirstRetryMs = seconds(2);
/** For an installation's mail server that cannot be reached; then an email fails. */
export const mailMaxWaitMs = days(1);
export const testEmailTimeoutMs = seconds(10);
/** Attempts that the sent-email log shows. */
export const sentEmailsListed = 100;
/** Extension: attempts in a page of the complete log. */
export const sentEmailPageDefault = 50;
export const sentEmailPageMax = 100;
/** Extension: attempts that one page of a filtered log reads at most: a rare match costs more pages, never a longer one. */
export const sentEmailReadMax = 100_000;
/** The HTML of an email; extension: the text of a preview or a message, as JSON. Cleaning it takes up to a quarter of a second. */
export const emailContentMaxLength = 200_000;
export const emailSubjectMaxLength = 1_000;
/** Extension: messages to users. Each batch is one transaction; the next one waits while many copies are in the queue. */
export const messageBatchUsers = 500;
export const messageCopiesWaitingMax = 2_000;
export const messageBatchPauseMs = seconds(2);
export const messagesListed = 100;
/** Of an audience that names its users. */
export const messageUsersMax = 1_000;
/** Period of the failed-emails digest, and the number of failures that its email lists. */
export const failedEmailsWindowMs = days(1);
export const failedEmailsShown = 10;
export const failedEmailSubjectMaxLength = 50;
/** Extension: failures per project that the digest names to the operator; all are counted. */
export const failedEmailsListed = 1_000;
/** Extension: retention of the sent-email log. */
export const sentEmailRetentionMs = days(90);
/** Extension: a failed email without a code can be sent again for this long after its creation. Then its content is deleted. */
export const failedEmailRetentionMs = days(7);
/** Extension: emails in a page of those that wait. */
export const waitingEmailPageDefault = 50;
export const waitingEmailPageMax = 100;
/** Extension: retention of emails that could not be delivered; their codes have expired by then. */
export const undeliveredMailRetentionMs = days(30);

// Outbound requests (control 86).
export const outboundTimeoutMs = seconds(10);
export const outboundMaxBytes = 1024 * 1024;
/** Requests of a project to OAuth providers that a process sends at once, and those that wait for them. */
export const providerRequestsAtOncePerProject = 30;
export const providerRequestsWaitingPerProject = 60;

// Webhooks (docs/contract/emails-webhooks-metrics.md#webhooks).
/** After the first attempt: 27 hours and 35 minutes in total. */
export const webhookRetryDelaysMs = [
  seconds(5),
  minutes(5),
  minutes(30),
  hours(2),
  hours(5),
  hours(10),
  hours(10),
] as const;
/** Random share of a delay, so that messages that failed together are not retried together. */
export const webhookRetryJitter = 0.2;
/** An endpoint that fails for this long without a success is disabled when a delivery fails for the last time. */
export const webhookFailingMaxMs = days(5);
/** An endpoint may name a type more than once. */
export const webhookFilterTypesMax = 100;
export const webhookSecretBytes = 32;
export const webhookSecretMinBytes = 24;
export const webhookSecretMaxBytes = 75;
/** For this long messages are also signed with the previous secret. */
export const webhookSecretOverlapSeconds = 24 * 3600;
export const webhookSecretOverlapMaxSeconds = 7 * 24 * 3600;
export const webhookTokenLifetimeMs = days(1);
export const webhookRetentionMs = days(90);
/** Of a response, in the log. */
export const webhookAnswerMaxBytes = 16 * 1024;
export const webhookEndpointsMax = 50;
export const webhookUrlMaxLength = 2048;
export const webhookDescriptionMaxLength = 1000;
export const webhookUidMaxLength = 256;
/** As JSON, in UTF-16 units. */
export const webhookMetadataMaxLength = 16 * 1024;
export const webhooksPageDefault = 50;
export const webhooksPageMax = 250;
/** Sending an event to a Svix server that responds with 429. */
export const svixRateLimitRetries = 5;
export const svixRetryDelayMs = seconds(1);
/** At most so long is waited for a Svix server, whatever its Retry-After asks. */
export const svixRetryMaxDelayMs = minutes(15);

// The client's retries (docs/contract/client-runtime.md#request-pipeline).
export const requestMaxAttempts = 5;
export const retryBaseDelayMs = seconds(1);
/** Extension: the total time of all retries of one request. */
export const retryBudgetDefaultMs = seconds(10);

// The feed of ended sessions (extension, docs/contract/decisions.md#revocation-feed).
/** Between two reads for all streams of a process. */
export const endedSessionPollMs = 250;
export const endedSessionStreamMaxMs = minutes(5);
/** For each project and process. */
export const endedSessionStreamsMax = 32;
/** For all projects of a process. */
export const endedSessionStreamsOfProcessMax = 500;
/** Ended sessions are listed for the lifetime of an access token and this time, for clocks that differ. */
export const endedSessionMarginMs = minutes(1);
/** Longer than any access token is valid. */
export const endedSessionRetentionMs = hours(25);
export const endedSessionCursorMaxLength = 4_096;
/** An app asks again when its list of ended sessions is older. */
export const endedSessionFreshMs = 500;

// Idempotency keys (extension).
export const idempotencyKeyMinLength = 16;
export const idempotencyKeyMaxLength = 255;
export const idempotencyKeyKeptMs = days(1);
/** A longer response is not stored; a repeated request is then refused. */
export const idempotencyResponseMaxLength = 256 * 1024;
/** The same at level client: a write of a few bytes can have a long response, and each is kept for a day. */
export const idempotencyClientResponseMaxLength = 32 * 1024;
/** Retry-After of a repeated request while the first one runs. */
export const idempotencyRetrySeconds = 1;
/** A write without a stored response after this time was interrupted. */
export const idempotencyInterruptedAfterMs = seconds(30);
/** While the database is unavailable, a key is released in the background. */
export const idempotencyReleasePauseMs = 500;
export const idempotencyReleaseAttempts = 60;
