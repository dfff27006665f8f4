import { Command } from 'commander';
import { addBackup } from './commands/backup.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addKeys } from './commands/keys.ts';
import { addLogin } from './commands/login.ts';
import { addLogout } from './commands/logout.ts';
import { addMigrate } from './commands/migrate.ts';
import { addProjects } from './commands/projects.ts';
import { addRestore } from './commands/restore.ts';
import { addRotateSecret } from './commands/rotate-secret.ts';
import { addSeed } from './commands/seed.ts';
import { addStart } from './commands/start.ts';
import { addUsers } from './commands/users.ts';
import { addWhoami } from './commands/whoami.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

const help = `
Which server and project: options, then the environment (TESSERA_API_URL, TESSERA_PROJECT_ID and the keys
TESSERA_PUBLISHABLE_CLIENT_KEY, TESSERA_SECRET_SERVER_KEY, TESSERA_SUPER_SECRET_ADMIN_KEY), then the keys of a
development server in .tessera/keys.json, then your latest login.

Exit codes: 0 success, 1 failure, 2 invalid command line.`;

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
