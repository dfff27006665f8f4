import { type AccessLevel, rateLimits } from '@tessera/protocol';

export type LimitName = keyof typeof rateLimits;

/** One counter that an attempt counts on. */
export interface LimitUse {
  readonly limit: LimitName;
  /** Who is counted, in which project. */
  readonly key: string;
  readonly points: number;
}

/** A call, as far as it is limited. */
export interface LimitedCall {
  readonly project: LimitedProject;
  readonly level: AccessLevel | null;
  readonly source: { readonly block: string | undefined; readonly isOwnMachine: boolean };
}

interface LimitedProject {
  readonly id: string;
  /** Figures of its own, by the name of the limit. */
  readonly config: { readonly limits: Readonly<Partial<Record<LimitName, number | undefined>>> };
}

/** Failed sign-ins: of account and address block first, whose counter also orders the attempts. */
export function failedSignInUses(call: LimitedCall, account: string): [LimitUse, ...LimitUse[]] {
  const from = isServer(call) ? 'server' : (call.source.block ?? 'unknown');
  return [
    useOf('failedSignInsPerAccount', call.project, `${account}:${from}`),
    ...perAddress('failedSignInsPerAddress', call),
  ];
}

/**
 * Failed sign-ins of an account over all address blocks. They count only for a block from which the account has not
 * signed in lately, so that guesses from many addresses do not lock the owner out. Projects set no figures of their own.
 */
export function unknownBlockUses(
  call: LimitedCall,
  account: string,
  limit: 'failedSignInsFromUnknownBlocks' | 'failedSecondFactorsFromUnknownBlocks' = 'failedSignInsFromUnknownBlocks',
): LimitUse[] {
  if (isServer(call)) return [];
  return [useOf(limit, { id: call.project.id, config: { limits: {} } }, account)];
}

export function signUpUses(call: LimitedCall): LimitUse[] {
  return perAddress('signUpsPerAddress', call);
}

/** Sign-ins that are sent to an OAuth provider. Projects set no figures of their own. */
export function oauthFlowUses(projectId: string, source: LimitedCall['source']): LimitUse[] {
  return perAddress('oauthFlowsPerAddress', {
    project: { id: projectId, config: { limits: {} } },
    level: null,
    source,
  });
}

/** Authorization codes that do not exist. Projects set no figures of their own. */
export function unknownOAuthCodeUses(projectId: string, source: LimitedCall['source']): LimitUse[] {
  const project = { id: projectId, config: { limits: {} } };
  return perAddress('unknownOAuthCodesPerAddress', { project, level: null, source });
}

/** The narrowest first: what one of them refuses does not count on those behind it. */
export function mailUses(call: LimitedCall, recipient: string): LimitUse[] {
  return [useOf('mailsPerRecipient', call.project, recipient), ...perAddress('mailsPerAddress', call)];
}

/**
 * The mail quota of a project, spent when an email is delivered. Half of it is reserved for addresses of verified
 * accounts, so that mail to made-up addresses does not hold theirs up.
 */
export function mailQuotaUses(project: LimitedProject, isToVerifiedAccount: boolean): LimitUse[] {
  const all = useOf('mailsPerProject', project, 'all');
  if (isToVerifiedAccount) return [all];
  return [{ ...all, key: `${all.key}:unverified`, points: Math.max(1, Math.floor(all.points / 2)) }, all];
}

/** Events that tell the owner of a used-up mail quota. Projects set no figures of their own. */
export function mailQuotaEventUses({ id }: LimitedProject): LimitUse[] {
  return [useOf('mailQuotaEventsPerProject', { id, config: { limits: {} } }, 'all')];
}

/** Addresses that users add to their accounts. Servers are not counted. Projects set no figures of their own. */
export function channelAdditionUses({ project: { id }, level, source }: LimitedCall, userId: string): LimitUse[] {
  if (level !== 'client') return [];
  const project = { id, config: { limits: {} } };
  const perUser = useOf('channelAdditionsPerUser', project, userId);
  return [perUser, ...perAddress('channelAdditionsPerAddress', { project, level, source })];
}

interface ClientCall {
  readonly project: { readonly id: string };
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
}

/** Writes of a signed-in user. Servers are not counted, and projects set no figures of their own. */
export function clientWriteUses({ project, level, user }: ClientCall): LimitUse[] {
  if (level !== 'client' || user === null) return [];
  return [useOf('clientWritesPerUser', { id: project.id, config: { limits: {} } }, user.id)];
}

/** Images of a signed-in user that have to be converted. Projects set no figures of their own. */
export function imageUploadUses({ project, level, user }: ClientCall): LimitUse[] {
  if (level !== 'client' || user === null) return [];
  return [useOf('imageUploadsPerUser', { id: project.id, config: { limits: {} } }, user.id)];
}

/** Sign-ins that open a session. Projects set no figures of their own. */
export function signInUses(projectId: string, userId: string, source: LimitedCall['source']): LimitUse[] {
  if (source.isOwnMachine) return [];
  const project = { id: projectId, config: { limits: {} } };
  const perUser = useOf('signInsPerAccount', project, userId);
  return [perUser, ...perAddress('signInsPerAddress', { project, level: null, source })];
}

/** What unauthenticated callers make rows with. Projects set no figures of their own. */
export function requestUses(
  limit: 'cliLoginsPerAddress' | 'cliPollsPerAddress' | 'passkeyChallengesPerAddress',
  { project, level, source }: LimitedCall,
): LimitUse[] {
  return perAddress(limit, { project: { id: project.id, config: { limits: {} } }, level, source });
}

/** Test emails of a project. Projects set no figures of their own. */
export function testEmailUses(projectId: string): LimitUse[] {
  return [useOf('testEmailsPerProject', { id: projectId, config: { limits: {} } }, 'all')];
}

/** What owners do about webhooks. Projects set no figures of their own. */
export function webhookChangeUses(projectId: string, { isOwnMachine }: LimitedCall['source']): LimitUse[] {
  const project = { id: projectId, config: { limits: {} } };
  return isOwnMachine ? [] : [useOf('webhookChangesPerProject', project, 'all')];
}

/** Attempts of codes. Projects set no figures of their own. @param account undefined while it is not known */
export function codeAttemptUses(
  projectId: string,
  guesser: Pick<LimitedCall, 'level' | 'source'>,
  account?: string,
): LimitUse[] {
  const project = { id: projectId, config: { limits: {} } };
  const perAccount = account === undefined ? [] : [useOf('codeAttemptsPerAccount', project, account)];
  return [...perAccount, ...perAddress('codeAttemptsPerAddress', { ...guesser, project })];
}

/**
 * Servers speak for many people from one address, and a developer's tests sign up by the thousand: neither is counted
 * by address.
 */
function perAddress(limit: LimitName, call: LimitedCall): LimitUse[] {
  const { project, source } = call;
  if (isServer(call) || source.isOwnMachine || source.block === undefined) return [];
  return [useOf(limit, project, source.block)];
}

function isServer({ level }: LimitedCall): boolean {
  return level === 'server' || level === 'admin';
}

function useOf(limit: LimitName, { id, config }: LimitedProject, who: string): LimitUse {
  return { limit, key: `${limit}:${id}:${who}`, points: config.limits[limit] ?? rateLimits[limit].points };
}
