import type { Project } from '../../core/project.ts';
import type { Settings } from '../../env.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { decryptSmtpPassword } from '../projects/index.ts';
import type { Sender } from './queue/attempts.ts';
import { oneLine, projectName } from './templates/names.ts';
import type { OwnMailServers } from './transport/project-servers.ts';
import type { SmtpServer } from './transport/smtp.ts';
import type { Transport } from './transport/transport.ts';

export interface SenderDeps {
  readonly settings: Pick<Settings, 'mailFrom' | 'mode'>;
  readonly secrets: Secrets;
  readonly mailTransport: Transport;
  readonly ownMailServers: OwnMailServers;
}

/**
 * The mail server and the sender address of a project
 * (docs/contract/emails-webhooks-metrics.md#other-sending-endpoints, docs/contract/projects.md#email-configuration).
 */
export function senderOf(project: Project, deps: SenderDeps): Sender {
  const { emailConfig } = project.config;
  if (emailConfig.type === 'shared') return installationSender(project, deps);
  const password = decryptSmtpPassword(emailConfig.sealedPassword, deps.secrets);
  const server = smtpServer({ ...emailConfig, password }, deps.settings);
  return {
    type: 'standard',
    transport: deps.ownMailServers.transportTo(server, project.id),
    from: { name: oneLine(emailConfig.senderName), address: emailConfig.senderEmail },
  };
}

/** The installation's server and address with the project's name. */
export function installationSender(
  { displayName }: Pick<Project, 'displayName'>,
  { mailTransport, settings }: Pick<SenderDeps, 'mailTransport' | 'settings'>,
): Sender {
  const from = { name: projectName(displayName), address: settings.mailFrom };
  return { type: 'shared', transport: mailTransport, from };
}

const tlsPort = 465;

/**
 * The SMTP server of a project. Port 465 uses TLS from the start, every other port STARTTLS: required in production,
 * optional in development.
 */
export function smtpServer(
  { host, port, username, password }: Pick<SmtpServer, 'host' | 'port' | 'username' | 'password'>,
  { mode }: Pick<Settings, 'mode'>,
): SmtpServer {
  return { host, port, isSecure: port === tlsPort, requiresTls: mode === 'production', username, password };
}
