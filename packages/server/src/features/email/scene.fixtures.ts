import type { SmtpSink } from '@tessera/testing/smtp-sink';
import type { ProjectConfig } from '../../core/project-config.ts';
import type { TestServer } from '../../test/harness.ts';
import { encryptSmtpPassword } from '../projects/index.ts';

/** The settings of a project with its own mail server. */
export function ownServer(server: TestServer, { url }: Pick<SmtpSink, 'url'>): Pick<ProjectConfig, 'emailConfig'> {
  return {
    emailConfig: {
      type: 'standard',
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      username: 'acme',
      sealedPassword: encryptSmtpPassword('top-secret', server.deps.secrets),
      senderName: 'Acme Mail',
      senderEmail: 'mail@acme.example',
    },
  };
}
