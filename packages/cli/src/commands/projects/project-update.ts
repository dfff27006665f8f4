import type { AdminProjectConfig, AdminProjectConfigUpdate, AdminProjectUpdateOptions } from '@tessera/client';
import { oauthProviderIds, parseUrl } from '@tessera/protocol';
import type { Command } from 'commander';
import { openAdminApp } from '../../apps.ts';
import { type ProjectOptions, readSecretVariable } from '../../command.ts';
import { usageError } from '../../failure.ts';
import { type Io, note } from '../../io.ts';
import { resolveTarget } from '../../target.ts';

/** The options of `projects update`, by the names that commander gives them. */
export interface UpdateOptions extends ProjectOptions {
  readonly name?: string;
  readonly description?: string;
  readonly addDomain?: string;
  readonly removeDomain?: string;
  readonly localhost?: boolean;
  readonly signUp?: boolean;
  readonly password?: boolean;
  readonly emailCode?: boolean;
  readonly passkey?: boolean;
  readonly addProvider?: ProviderId;
  readonly clientId?: string;
  readonly clientSecretEnv?: string;
  readonly removeProvider?: ProviderId;
  readonly smtpUrlEnv?: string;
  readonly mailFrom?: string;
}

type ProviderId = AdminProjectConfig['oauthProviders'][number]['id'];

/** Adds the options to a command. */
export function withProjectSettings(command: Command): Command {
  const onOff = '<on|off>';
  return command
    .option('--name <text>', 'display name')
    .option('--description <text>', 'what the project is')
    .option('--add-domain <url>', 'trust a site, such as https://app.example.com', parseDomain)
    .option('--remove-domain <url>', 'trust a site no longer', parseSite)
    .option(`--localhost ${onOff}`, 'trust pages on this machine', parseOnOff)
    .option(`--sign-up ${onOff}`, 'new accounts', parseOnOff)
    .option(`--password ${onOff}`, 'sign-in by password', parseOnOff)
    .option(`--email-code ${onOff}`, 'sign-in by emailed code', parseOnOff)
    .option(`--passkey ${onOff}`, 'sign-in by passkey', parseOnOff)
    .option('--add-provider <id>', 'sign-in by a provider; without --client-id with its shared keys', parseProvider)
    .option('--client-id <id>', 'client id of your app at the provider')
    .option('--client-secret-env <name>', 'variable with the client secret of that app')
    .option('--remove-provider <id>', 'no sign-in by a provider', parseProvider)
    .option(
      '--smtp-url-env <name>',
      'variable with the mail server: smtp://user:password@mail.example.com:587, or smtps:// for TLS from the first byte (port 465)',
    )
    .option('--mail-from <sender>', 'sender of its emails: "Shop <hello@example.com>"');
}

/** Changes a project and returns it as it is now. */
export async function updateProject(io: Io, options: UpdateOptions) {
  const app = await openAdminApp(io, resolveTarget(options, io));
  const project = await app.getProject();
  const changes = changesOf(options, project.config, io);
  if (Object.keys(changes).length === 0) throw usageError('Nothing to change. --help lists the settings.');
  await project.update(changes);
  const { removeDomain } = options;
  if (removeDomain !== undefined && !project.config.domains.some(({ domain }) => isSameSite(domain, removeDomain))) {
    await note(io, `The project did not trust ${removeDomain}.`);
  }
  return app.getProject();
}

/** Lists replace the ones of the project as a whole, so they are built from the current ones. */
function changesOf(options: UpdateOptions, current: AdminProjectConfig, io: Io): AdminProjectUpdateOptions {
  const config = omitUndefined<AdminProjectConfigUpdate>({
    allowLocalhost: options.localhost,
    signUpEnabled: options.signUp,
    credentialEnabled: options.password,
    magicLinkEnabled: options.emailCode,
    passkeyEnabled: options.passkey,
    domains: domainsOf(options, current),
    oauthProviders: providersOf(options, current, io),
    emailConfig: mailServerOf(options, io),
  });
  return omitUndefined<AdminProjectUpdateOptions>({
    displayName: options.name,
    description: options.description,
    config: Object.keys(config).length === 0 ? undefined : config,
  });
}

function domainsOf({ addDomain, removeDomain }: UpdateOptions, { domains }: AdminProjectConfig) {
  if (addDomain === undefined && removeDomain === undefined) return undefined;
  const kept = domains.filter(({ domain }) => removeDomain === undefined || !isSameSite(domain, removeDomain));
  // A trusted domain keeps its handler path.
  const isNew = addDomain !== undefined && !kept.some(({ domain }) => isSameSite(domain, addDomain));
  return isNew ? [...kept, { domain: addDomain, handlerPath: '/handler' }] : kept;
}

/** Other clients may have written a site with capitals, its default port or a slash at its end. */
function isSameSite(one: string, other: string): boolean {
  return one === other || (parseUrl(one) !== undefined && parseUrl(one)?.href === parseUrl(other)?.href);
}

function providersOf(options: UpdateOptions, { oauthProviders }: AdminProjectConfig, io: Io) {
  const { addProvider, removeProvider, clientId, clientSecretEnv } = options;
  if ((clientId === undefined) !== (clientSecretEnv === undefined)) {
    throw usageError('--client-id and --client-secret-env belong together.');
  }
  if (clientId !== undefined && addProvider === undefined) throw usageError('--client-id needs --add-provider.');
  if (addProvider === undefined && removeProvider === undefined) return undefined;

  const kept = oauthProviders.filter(({ id }) => id !== removeProvider);
  if (addProvider === undefined) return kept;
  const current = kept.find(({ id }) => id === addProvider);
  const added = providerOf({ addProvider, clientId, clientSecretEnv }, current, io);
  return [...kept.filter(provider => provider !== current), added];
}

type Provider = AdminProjectConfig['oauthProviders'][number];
type AddedProvider = Pick<UpdateOptions, 'clientId' | 'clientSecretEnv'> & { readonly addProvider: ProviderId };

function providerOf(added: AddedProvider, current: Provider | undefined, io: Io): Provider {
  const { addProvider: id, clientId, clientSecretEnv } = added;
  const own = current?.type === 'standard' ? current : undefined;
  if (clientId !== undefined && clientSecretEnv !== undefined) {
    // New keys keep the other settings, such as the tenant of Microsoft.
    return { ...own, id, type: 'standard', clientId, clientSecret: readSecretVariable(io, clientSecretEnv) };
  }
  if (own === undefined) return { id, type: 'shared' };
  throw usageError(
    `The project has its own keys for ${id}. For the shared keys, add --remove-provider ${id}. For other own keys, add --client-id and --client-secret-env.`,
  );
}

const smtpPort = 587;
/** The one port at which the server of a project has TLS from the first byte. */
const smtpsPort = 465;

function decodeCredential(text: string, variable: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // URIError: a percent sign that begins no encoded character.
    throw usageError(`${variable} has a % in user or password that encodes nothing. Write %25.`);
  }
}

function mailServerOf({ smtpUrlEnv, mailFrom }: UpdateOptions, io: Io): AdminProjectConfig['emailConfig'] | undefined {
  if ((smtpUrlEnv === undefined) !== (mailFrom === undefined)) {
    throw usageError('--smtp-url-env and --mail-from belong together.');
  }
  if (smtpUrlEnv === undefined || mailFrom === undefined) return undefined;

  const text = readSecretVariable(io, smtpUrlEnv);
  const url = parseUrl(text);
  if (url === undefined || !/^smtps?:$/.test(url.protocol)) {
    throw usageError(`${smtpUrlEnv} is not a mail server. Write it like smtp://user:password@mail.example.com:587.`);
  }
  return {
    type: 'standard',
    // The brackets of an IPv6 address belong to the URL.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: mailPortOf(url, smtpUrlEnv),
    username: decodeCredential(url.username, smtpUrlEnv),
    password: decodeCredential(url.password, smtpUrlEnv),
    ...senderOf(mailFrom),
  };
}

function mailPortOf({ protocol, port }: URL, variable: string): number {
  if (protocol === 'smtp:') return port === '' ? smtpPort : Number(port);
  if (port === '' || Number(port) === smtpsPort) return smtpsPort;
  throw usageError(
    `${variable} has port ${port}. A project connects with smtps:// only to port ${smtpsPort}. Use that port, or smtp:// for STARTTLS.`,
  );
}

function senderOf(text: string) {
  const [, senderName, senderEmail] = /^\s*([^<>]+?)\s*<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text) ?? [];
  if (senderName === undefined || senderEmail === undefined) {
    throw usageError(`${text} is not a sender. Write it like "Shop <hello@example.com>".`);
  }
  return { senderName, senderEmail };
}

function parseOnOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw usageError(`${text} is neither on nor off.`);
}

function parseDomain(text: string): string {
  const url = parseUrl(parseSite(text));
  return url?.pathname === '/' ? url.origin : failNoSite(text);
}

/** A site that the API accepts, which can have a path. */
function parseSite(text: string): string {
  return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined ? text : failNoSite(text);
}

function failNoSite(text: string): never {
  throw usageError(`${text} is not a site. Write it like https://app.example.com.`);
}

function parseProvider(text: string): ProviderId {
  const id = oauthProviderIds.find(provider => provider === text);
  if (id === undefined)
    throw usageError(`There is no provider ${text}. The providers are: ${oauthProviderIds.join(', ')}.`);
  return id;
}

/** Without the members that are undefined. */
function omitUndefined<Members extends object>(
  members: { [Name in keyof Members]: Members[Name] | undefined },
): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
