import { Command } from 'commander';
import { addLogin } from './commands/account/login.ts';
import { addLogout } from './commands/account/logout.ts';
import { addWhoami } from './commands/account/whoami.ts';
import { addBackup } from './commands/installation/backup.ts';
import { addDoctor } from './commands/installation/doctor.ts';
import { addMigrate } from './commands/installation/migrate.ts';
import { addRestore } from './commands/installation/restore.ts';
import { addRotateSecret } from './commands/installation/rotate-secret.ts';
import { addSeed } from './commands/installation/seed.ts';
import { addStart } from './commands/installation/start.ts';
import { addExport } from './commands/projects/export.ts';
import { addImport } from './commands/projects/import.ts';
import { addKeys } from './commands/projects/keys.ts';
import { addProjects } from './commands/projects/projects.ts';
import { addUsers } from './commands/users/users.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

const help = `
Which server and project: options, then the environment (TESSERA_API_URL, TESSERA_PROJECT_ID and the keys
TESSERA_PUBLISHABLE_CLIENT_KEY, TESSERA_SECRET_SERVER_KEY, TESSERA_SUPER_SECRET_ADMIN_KEY), then the keys of a
development server in .tessera/keys.json, then your latest login.

Exit codes: 0 success, 1 failure, 2 invalid command line.`;

/** These commands clean up before they end, when they are interrupted. The others end immediately. */
export const cleaningCommands: ReadonlySet<string> = new Set([
  'start',
  'login',
  'migrate',
  'rotate-secret',
  'export',
  'import',
  'backup',
  'restore',
  'seed',
]);

/** The command line, for commander. */
export function createProgram(io: Io): Command {
  const program = new Command('tessera')
    .description('Sign-in, users, teams, permissions and API keys: run the server, and manage it from a terminal.')
    .version(version, '--version')
    .addHelpText('after', help)
    .showHelpAfterError('(run with --help to list commands and options)')
    .exitOverride()
    .configureOutput({
      writeOut: text => io.stdout.write(text),
      writeErr: text => io.stderr.write(text),
    });
  for (const add of [
    addStart,
    addMigrate,
    addRotateSecret,
    addBackup,
    addRestore,
    addDoctor,
    addLogin,
    addWhoami,
    addLogout,
    addKeys,
    addUsers,
    addProjects,
    addExport,
    addImport,
    addSeed,
  ]) {
    add(program, io);
  }
  return program;
}
