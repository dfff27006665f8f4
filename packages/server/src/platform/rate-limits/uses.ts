import { type AccessLevel, clientWriteLength, type RateLimitName, rateLimits } from '@tessera/protocol';

/** A counter that an attempt counts on. */
export interface LimitUse {
  readonly limit: RateLimitName;
  /** The counted subject, with its project. */
  readonly key: string;
  readonly points: number;
  /** How often the attempt counts; default: once. */
  readonly cost?: number;
  /** The account whose attempts are counted; undefined for counters of address blocks and projects. */
  readonly account?: LimitedAccount;
}

/** A user, or the address that a caller names: whether it has an account is not known. */
export type LimitedAccount = { readonly userId: string } | { readonly address: string };

/** The properties of a call that limits depend on. */
export interface LimitedCall {
  readonly project: LimitedProject;
  readonly level: AccessLevel | null;
  readonly source: { readonly block: string | undefined; readonly isOwnMachine: boolean };
}

interface LimitedProject {
  readonly id: string;
  readonly capsMailLimits?: boolean;
  /** The project's own limits, by name. */
  readonly config: { readonly limits: Readonly<Partial<Record<RateLimitName, number | undefined>>> };
}

/** Failed sign-ins. The counter of account and address block comes first; it also orders the attempts. */
export function failedSignInUses(call: LimitedCall, account: string): [LimitUse, ...LimitUse[]] {
  const from = isServer(call) ? 'server' : (call.source.block ?? 'unknown');
  return [
    ofAccount(useOf('failedSignInsPerAccount', call.project, `${account}:${from}`), account),
    ...perAddress('failedSignInsPerAddress', call),
  ];
}

/** The limits of failed sign-ins to an account. */
export const failedSignInLimits = [
  'failedSignInsPerAccount',
  'failedSignInsFromUnknownBlocks',
  'failedSecondFactorsFromUnknownBlocks',
] as const;

export type FailedSignInLimit = (typeof failedSignInLimits)[number];

/** The counters of failed sign-ins to the accounts, of which one user has several: the id and each address. */
export function failedSignInCounters(project: LimitedProject, accounts: readonly string[]) {
  const { id } = project;
  const ownless = withoutOwnLimits(id);
  return {
    points: useOf('failedSignInsPerAccount', project, '').points,
    /** Beginnings of keys; the address block follows. */
    perBlock: accounts.map(account => useOf('failedSignInsPerAccount', project, `${account}:`).key),
    everywhere: accounts.flatMap(account =>
      (['failedSignInsFromUnknownBlocks', 'failedSecondFactorsFromUnknownBlocks'] as const).map(limit => ({
        ...useOf(limit, ownless, account),
        limit,
      })),
    ),
  };
}

/**
 * Failed sign-ins of an account over all address blocks. They count only for a block from which the account has no
 * recent sign-in, so that guesses from many addresses do not lock the owner out. Projects have no own limit.
 */
export function unknownBlockUses(
  call: LimitedCall,
  account: string,
  limit: 'failedSignInsFromUnknownBlocks' | 'failedSecondFactorsFromUnknownBlocks' = 'failedSignInsFromUnknownBlocks',
): LimitUse[] {
  if (isServer(call)) return [];
  return [ofAccount(useOf(limit, withoutOwnLimits(call.project.id), account), account)];
}

export function signUpUses(call: LimitedCall): LimitUse[] {
  return perAddress('signUpsPerAddress', call);
}

/** Sign-ins that are sent to an OAuth provider. Projects have no own limit. */
export function oauthFlowUses(projectId: string, source: LimitedCall['source']): LimitUse[] {
  return perAddress('oauthFlowsPerAddress', {
    project: withoutOwnLimits(projectId),
    level: null,
    source,
  });
}

/** Authorization codes that do not exist. Projects have no own limit. */
export function unknownOAuthCodeUses(projectId: string, source: LimitedCall['source']): LimitUse[] {
  const project = withoutOwnLimits(projectId);
  return perAddress('unknownOAuthCodesPerAddress', { project, level: null, source });
}

/**
 * Why an email is sent. `access`: it signs the recipient in (sign-in codes, password resets). The others are also sent at
 * the request of other users.
 */
export type MailPurpose = 'access' | 'invitation' | 'verification' | 'again';

/**
 * The narrowest counter first: an attempt that it refuses does not count on the others. A recipient has a counter for each
 * purpose, so that invitations by other people do not lock out the recipient. Where every user may create projects, a
 * second counter covers all that send through the installation's mail server: their number must not multiply the limit.
 */
export function mailUses(call: LimitedCall, recipient: string, purpose: MailPurpose): LimitUse[] {
  const project = withMailLimits(call.project);
  const counted = purpose === 'access' ? recipient : `${recipient}:${purpose}`;
  const perRecipient = ofAccount(useOf('mailsPerRecipient', project, counted), recipient);
  const installation = withoutOwnLimits('internal');
  const overAll = ofAccount(useOf('sharedMailsPerRecipient', installation, counted), recipient);
  const shared = project.capsMailLimits === true ? [overAll] : [];
  return [perRecipient, ...shared, ...perAddress('mailsPerAddress', { ...call, project })];
}

/** Invitations to manage a project. Its admins send them and the installation delivers them, so it has no own limit. */
export function projectInvitationUses(inviterId: string, recipient: string): LimitUse[] {
  const project = withoutOwnLimits('internal');
  return [
    useOf('projectInvitationsPerRecipient', project, recipient),
    useOf('projectInvitationsPerUser', project, inviterId),
  ];
}

/**
 * The mail quota of a project, counted when an email is delivered. Half of it is reserved for addresses of verified
 * accounts, so that mail to made-up addresses does not delay theirs.
 */
export function mailQuotaUses(project: LimitedProject, isToVerifiedAccount: boolean): LimitUse[] {
  const all = useOf('mailsPerProject', withMailLimits(project), 'all');
  if (isToVerifiedAccount) return [all];
  return [{ ...all, key: `${all.key}:unverified`, points: Math.max(1, Math.floor(all.points / 2)) }, all];
}

/** Caps the own email limits of a project that may only lower them. */
function withMailLimits(project: LimitedProject): LimitedProject {
  if (project.capsMailLimits !== true) return project;
  const { limits } = project.config;
  const lowered = mailLimits.map(name => [
    name,
    Math.min(limits[name] ?? Number.POSITIVE_INFINITY, rateLimits[name].points),
  ]);
  return { ...project, config: { limits: { ...limits, ...Object.fromEntries(lowered) } } };
}

const mailLimits = ['mailsPerRecipient', 'mailsPerAddress', 'mailsPerProject'] as const;

/** Events that tell the owner about a used-up mail quota. Projects have no own limit. */
export function mailQuotaEventUses({ id }: LimitedProject): LimitUse[] {
  return [useOf('mailQuotaEventsPerProject', withoutOwnLimits(id), 'all')];
}

/** Addresses that users add to their accounts. Servers are not counted. Projects have no own limit. */
export function channelAdditionUses({ project: { id }, level, source }: LimitedCall, userId: string): LimitUse[] {
  if (level !== 'client') return [];
  const project = withoutOwnLimits(id);
  const perUser = ofAccount(useOf('channelAdditionsPerUser', project, userId), userId);
  return [perUser, ...perAddress('channelAdditionsPerAddress', { project, level, source })];
}

interface ClientCall {
  readonly project: { readonly id: string };
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
}

/**
 * Writes of a signed-in user. Servers are not counted, and projects have no own limit.
 *
 * @param changed the user or team that is changed: a large one counts several times
 */
export function clientWriteUses(call: ClientCall, changed?: object | null): LimitUse[] {
  const uses = perUser('clientWritesPerUser', call);
  if (uses.length === 0 || changed == null) return uses;
  const cost = 1 + Math.floor(JSON.stringify(changed).length / clientWriteLength);
  return uses.map(use => ({ ...use, cost }));
}

/** Teams or API keys that a signed-in user creates. Servers are not counted, and projects have no own limit. */
export function clientCreationUses(
  limit: 'teamCreationsPerUser' | 'apiKeyCreationsPerUser',
  call: ClientCall,
): LimitUse[] {
  return perUser(limit, call);
}

/** Projects that an owner creates. */
export function projectCreationUses(userId: string, { isOwnMachine }: LimitedCall['source']): LimitUse[] {
  if (isOwnMachine) return [];
  return [useOf('projectCreationsPerUser', withoutOwnLimits('internal'), userId)];
}

/** Images of a signed-in user that must be converted. Projects have no own limit. */
export function imageUploadUses(call: ClientCall): LimitUse[] {
  return perUser('imageUploadsPerUser', call);
}

/** Exports of the own data. Projects have no own limit. */
export function dataExportUses(call: ClientCall): LimitUse[] {
  return perUser('dataExportsPerUser', call);
}

function perUser(limit: RateLimitName, { project, level, user }: ClientCall): LimitUse[] {
  if (level !== 'client' || user === null) return [];
  return [ofAccount(useOf(limit, withoutOwnLimits(project.id), user.id), user.id)];
}

/** Sign-ins that create a session. Projects have no own limit. */
export function signInUses(projectId: string, userId: string, source: LimitedCall['source']): LimitUse[] {
  if (source.isOwnMachine) return [];
  const project = withoutOwnLimits(projectId);
  const perUser = ofAccount(useOf('signInsPerAccount', project, userId), userId);
  return [perUser, ...perAddress('signInsPerAddress', { project, level: null, source })];
}

/** Exchanges of the refresh token of a session for its successor. Projects have no own limit. */
export function tokenExchangeUses(
  projectId: string,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
  source: LimitedCall['source'],
): LimitUse[] {
  if (source.isOwnMachine) return [];
  return [ofAccount(useOf('tokenExchangesPerSession', withoutOwnLimits(projectId), sessionId), userId)];
}

/**
 * Right passwords that a signed-in user sends again. Each costs what a sign-in costs, and the same number is allowed. They
 * are counted apart: a caller who only knows the password and repeats sign-ins must not keep the owner from changing it.
 */
export function ownPasswordUses(projectId: string, userId: string): LimitUse[] {
  return [ofAccount(useOf('signInsPerAccount', withoutOwnLimits(projectId), `${userId}:own`), userId)];
}

/** Requests of unauthenticated callers that create rows. Projects have no own limit. */
export function requestUses(
  limit: 'cliLoginsPerAddress' | 'cliPollsPerAddress' | 'passkeyChallengesPerAddress',
  { project, level, source }: LimitedCall,
): LimitUse[] {
  return perAddress(limit, { project: withoutOwnLimits(project.id), level, source });
}

/** Test emails of a project. Projects have no own limit. */
export function testEmailUses(projectId: string): LimitUse[] {
  return [useOf('testEmailsPerProject', withoutOwnLimits(projectId), 'all')];
}

/** A failed email that an administrator sends again. The project has no own limit for all of them. */
export function resendingUses(call: LimitedCall, recipient: string): LimitUse[] {
  const all = useOf('emailsSentAgainPerProject', withoutOwnLimits(call.project.id), 'all');
  return [...mailUses(call, recipient, 'again'), all];
}

/** Messages to users, or their batches. Projects have no own limit. */
export function messageUses(limit: 'messagesPerProject' | 'messageBatchesPerProject', projectId: string): LimitUse[] {
  return [useOf(limit, withoutOwnLimits(projectId), 'all')];
}

/** Changes of webhooks by owners. Projects have no own limit. */
export function webhookChangeUses(projectId: string, { isOwnMachine }: LimitedCall['source']): LimitUse[] {
  const project = withoutOwnLimits(projectId);
  return isOwnMachine ? [] : [useOf('webhookChangesPerProject', project, 'all')];
}

/**
 * Attempts of codes. Projects have no own limit.
 *
 * @param account the address or user of the code with its kind, which is counted separately; undefined while unknown
 */
export function codeAttemptUses(
  projectId: string,
  guesser: Pick<LimitedCall, 'level' | 'source'>,
  account?: { readonly kind: string; readonly id: string },
): LimitUse[] {
  const project = withoutOwnLimits(projectId);
  const ofAddress = perAddress('codeAttemptsPerAddress', { ...guesser, project });
  if (account === undefined) return ofAddress;
  const { kind, id } = account;
  return [ofAccount(useOf('codeAttemptsPerAccount', project, `${kind}:${id}`), id), ...ofAddress];
}

/**
 * Servers act for many users from one address, and a developer's tests sign up thousands of users: neither is counted by
 * address.
 */
function perAddress(limit: RateLimitName, call: LimitedCall): LimitUse[] {
  const { project, source } = call;
  if (isServer(call) || source.isOwnMachine || source.block === undefined) return [];
  return [useOf(limit, project, source.block)];
}

function isServer({ level }: LimitedCall): boolean {
  return level === 'server' || level === 'admin';
}

/** The project of a counter that projects cannot limit themselves. */
function withoutOwnLimits(id: string): LimitedProject {
  return { id, config: { limits: {} } };
}

function useOf(limit: RateLimitName, { id, config }: LimitedProject, who: string): LimitUse {
  return { limit, key: `${limit}:${id}:${who}`, points: config.limits[limit] ?? rateLimits[limit].points };
}

/** @param account the id or an address of a user */
function ofAccount(use: LimitUse, account: string): LimitUse {
  return { ...use, account: account.includes('@') ? { address: account } : { userId: account } };
}
