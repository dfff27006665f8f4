const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Path below the public address under which the whole API lies; `/api/latest` is an alias. */
export const apiPath = '/api/v1';

/** Reference version that `check-version` compares with (decisions.md). */
export const compatibleVersion = '2.8.21';

// Tokens and sessions (tokens-and-sessions.md).
export const accessTokenLifetimeMs = 10 * minute;
/** Clients ask for tokens with up to 60 s left, so a shorter life would make them refresh without end. */
export const accessTokenMinLifetimeMs = 2 * minute;
export const accessTokenLeftForRequestMs = 20 * second;
export const accessTokenMaxAskedMs = 60 * second;
export const sessionLifetimeMs = 365 * day;
export const sessionMaxLifetimeMs = 367 * day;
export const impersonationMaxLifetimeMs = hour;
/** Random strings: lower-case Crockford base32, 225 bits written, at least 224 of them random. */
export const randomStringLength = 45;

// Passwords (sign-in-methods.md 3), in UTF-16 units.
export const passwordMinLength = 8;
export const passwordMaxLength = 70;

// One-time codes (sign-in-methods.md 2 and decisions.md, control 17).
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

// Login of command-line programs (sign-in-methods.md 8).
export const cliLoginLifetimeMs = 2 * hour;
export const cliLoginMaxLifetimeMs = day;

// Fields.
export const profileImageMaxLength = 1_000_000;
export const displayNameMaxLength = 10_000;
/** Of ours: an index must be able to hold it. */
export const permissionIdMaxLength = 255;
export const metadataMaxBytes = 256 * 1024;

// Lists (decisions.md, control 95).
export const usersPageDefault = 1_000;
export const usersPageMax = 10_000;

// The shape of a request (control 79).
/** Room for a profile image of `profileImageMaxLength` beside the other fields. */
export const bodyMaxBytes = 1536 * 1024;
export const jsonMaxDepth = 32;
export const jsonMaxKeys = 1000;
export const urlMaxLength = 16 * 1024;
export const headersMaxBytes = 32 * 1024;

// The client's retries (client-runtime.md 1).
export const requestMaxAttempts = 5;
export const retryBaseDelayMs = second;
