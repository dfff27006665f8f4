import type { AdminProject } from '@tessera/client';
import { requestHeaders } from '@tessera/protocol/headers';
import { newProjectFreshSignInMs } from '@tessera/protocol/limits';
import type { Command } from 'commander';
import { openAdminApp, requireOwner } from '../../apps.ts';
import {
  confirmOrFail,
  type JsonOption,
  type ProjectOptions,
  withJson,
  withTarget,
  withYes,
  type YesOption,
} from '../../command.ts';
import { stripControlCharacters } from '../../control-characters.ts';
import { type Io, note } from '../../io.ts';
import { formatTime, list, print, table } from '../../output.ts';
import { fetchWithTimeout, whyUnreachable } from '../../reach.ts';
import type { Owner } from '../../session.ts';
import { resolveTarget, type TargetOptions } from '../../target.ts';
import { type UpdateOptions, updateProject, withProjectSettings } from './project-update.ts';

type ServerOptions = JsonOption & Pick<TargetOptions, 'apiUrl'>;
type CreateOptions = ServerOptions & { readonly description?: string };

export function addProjects(program: Command, io: Io): void {
  const projects = program
    .command('projects')
    .summary('manage the projects that you own')
    .description(
      'Projects. To list and create them, log in as their owner (tessera login --project internal). To show, change and delete one, its admin key is enough.',
    );

  withServer(projects.command('list'))
    .description('Lists the projects that you own.')
    .action((options: ServerOptions) => listProjects(io, options));

  withServer(projects.command('create'))
    .argument('<name>', 'display name')
    .option('--description <text>', 'what the project is')
    .description('Creates a project that you own.')
    .action((name: string, options: CreateOptions) => createProject(io, name, options));

  withTarget(projects.command('show'))
    .argument('[id]', 'like --project')
    .description('Shows a project and its settings, without their secrets.')
    .action((id: string | undefined, options: ProjectOptions) => showProject(io, withId(options, id)));

  withProjectSettings(withTarget(projects.command('update')))
    .argument('[id]', 'like --project')
    .description('Changes settings of a project: trusted sites, sign-in methods, providers and the mail server.')
    .action(async (id: string | undefined, options: UpdateOptions) => {
      const project = await updateProject(io, withId(options, id));
      await print(io, options.json, toJson(project), describe(project));
    });

  withYes(withTarget(projects.command('delete')))
    .argument('[id]', 'like --project')
    .description('Deletes a project and all its data.')
    .action((id: string | undefined, options: ProjectOptions & YesOption) => deleteProject(io, withId(options, id)));
}

function withServer(command: Command): Command {
  return withJson(command).option('--api-url <url>', 'address of the server (TESSERA_API_URL)');
}

function withId<Options extends ProjectOptions>(options: Options, id: string | undefined): Options {
  return id === undefined ? options : { ...options, project: id };
}

async function listProjects(io: Io, options: ServerOptions): Promise<void> {
  const { apiUrl } = resolveTarget({ ...options, project: 'internal' }, io);
  const owned = await (await requireOwner(io, apiUrl)).listOwnedProjects();
  const rows = owned.map(project => [project.id, project.displayName, formatTime(project.createdAt)]);
  const text = rows.length === 0 ? 'You own no projects.' : table(['ID', 'NAME', 'CREATED'], rows);
  await print(io, options.json, { items: owned.map(toJson) }, text);
}

async function createProject(io: Io, displayName: string, options: CreateOptions): Promise<void> {
  const { apiUrl } = resolveTarget({ ...options, project: 'internal' }, io);
  const owner = await requireOwner(io, apiUrl);
  const { description } = options;
  const project = await owner.createProject({ displayName, ...(description !== undefined && { description }) });
  await switchOnProtections(io, owner, { apiUrl, projectId: project.id });
  await print(io, options.json, toJson(project), describe(project));
  if (options.json !== true) {
    await note(io, `Create keys for it: tessera keys create --api-url ${apiUrl} --project ${project.id}`);
  }
}

/**
 * The protections of new projects that the contract leaves off (docs/contract/decisions.md#team-invitations and
 * #account-safety), by extension.
 */
const protections = {
  invitations: { bound_to_address: true },
  'passkey-policy': { counts_as_both_factors: true },
  'email-verification': { asks_for_code: true },
  'sign-in-notices': { enabled: true },
  'session-policy': { fresh_sign_in_within_millis: newProjectFreshSignInMs },
} as const;

/** The project exists already, so a failure is a note. */
async function switchOnProtections(io: Io, owner: Owner, target: { apiUrl: string; projectId: string }) {
  const { accessToken } = await owner.currentSession.getTokens();
  for (const [extension, settings] of Object.entries(protections)) {
    const reason = await changeSettings({ ...target, accessToken: accessToken ?? '', extension, settings });
    if (reason !== undefined) await note(io, `The settings "${extension}" of this project are not on: ${reason}.`);
  }
}

/** @returns why the settings were not changed */
async function changeSettings(change: {
  apiUrl: string;
  projectId: string;
  accessToken: string;
  extension: string;
  settings: object;
}): Promise<string | undefined> {
  const { apiUrl, projectId, accessToken, extension, settings } = change;
  const answer = await fetchWithTimeout(`${apiUrl}/api/v1/internal/extensions/${extension}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      [requestHeaders.accessType]: 'admin',
      [requestHeaders.projectId]: projectId,
      [requestHeaders.adminAccessToken]: accessToken,
    },
    body: JSON.stringify(settings),
  }).catch(whyUnreachable);
  if (typeof answer === 'string') return answer;
  await answer.body?.cancel();
  return answer.ok ? undefined : `status ${answer.status}`;
}

async function showProject(io: Io, options: ProjectOptions): Promise<void> {
  const project = await (await openAdminApp(io, resolveTarget(options, io))).getProject();
  await print(io, options.json, toJson(project), describe(project));
}

async function deleteProject(io: Io, options: ProjectOptions & YesOption): Promise<void> {
  const target = resolveTarget(options, io);
  const project = await (await openAdminApp(io, target)).getProject();
  const question = `Delete project "${stripControlCharacters(project.displayName)}" (${project.id}) at ${target.apiUrl} with all its users permanently?`;
  await confirmOrFail(io, options, question);
  await project.delete();
  await print(io, options.json, { id: project.id, deleted: true }, `Deleted project ${project.id}.`);
}

/** The project without the secrets of providers and of the mail server. */
function toJson({ id, displayName, description, createdAt, isProductionMode, config }: AdminProject) {
  const { oauthProviders, emailConfig, ...settings } = config;
  const email = emailConfig.type === 'shared' ? emailConfig : { ...emailConfig, password: undefined };
  const providers = oauthProviders.map(provider => ({ ...provider, clientSecret: undefined }));
  const shownConfig = { ...settings, oauthProviders: providers, emailConfig: email };
  return { id, displayName, description, createdAt, isProductionMode, config: shownConfig };
}

function describe({ id, displayName, description, createdAt, isProductionMode, config }: AdminProject): string {
  const ways = {
    password: config.credentialEnabled,
    'code or link by email': config.magicLinkEnabled,
    passkey: config.passkeyEnabled,
    ...Object.fromEntries(config.oauthProviders.map(provider => [provider.id, true])),
  };
  const enabled = Object.entries(ways).flatMap(([way, isOn]) => (isOn ? [way] : []));
  return list({
    Id: id,
    Name: displayName,
    Description: description === '' || description === null ? undefined : description,
    Created: formatTime(createdAt),
    'Production mode': isProductionMode ? 'on' : 'off',
    'Sign-up': config.signUpEnabled ? 'on' : 'off',
    'Signs in with': enabled.length === 0 ? '-' : enabled.join(', '),
    Domains: config.domains.length === 0 ? '-' : config.domains.map(({ domain }) => domain).join(', '),
    'Pages on this machine': config.allowLocalhost ? 'trusted' : 'not trusted',
    Mail: config.emailConfig.type === 'shared' ? "the installation's server" : config.emailConfig.host,
  });
}
