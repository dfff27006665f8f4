import type { Command } from 'commander';
import { type ProjectOptions, withTarget } from '../../command.ts';
import type { Finding } from '../../doctor/check.ts';
import { checkDatabase, checkMail, checkSettings } from '../../doctor/environment-checks.ts';
import { nodeVersionFinding, trustedProxyFinding } from '../../doctor/rules.ts';
import { checkServer } from '../../doctor/server-checks.ts';
import { Failure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output.ts';
import { resolveTarget, type Target } from '../../target.ts';

const defaultPort = '4280';

export function addDoctor(program: Command, io: Io): void {
  withTarget(program.command('doctor'))
    .summary('check an installation for problems')
    .description(
      'Calls the server at its public address and checks this environment: address and scheme, settings, proxies, clocks, keys, database, mail, the callback of OAuth providers, the Node.js release. Each problem comes with a line to paste. Run it on the server machine to check everything. Exits with 1 when it finds a problem.',
    )
    .option('--publishable-key <key>', 'publishable client key (TESSERA_PUBLISHABLE_CLIENT_KEY)')
    .action((options: ProjectOptions) => doctor(io, options));
}

async function doctor(io: Io, options: ProjectOptions): Promise<void> {
  const { env } = io;
  // On the server's machine the settings name the address.
  const apiUrl = options.apiUrl ?? env.TESSERA_API_URL ?? env.TESSERA_PUBLIC_URL;
  const fallback = { apiUrl: `http://localhost:${env.PORT ?? defaultPort}`, projectId: 'internal' };
  const target = resolveTarget({ ...options, ...(apiUrl !== undefined && { apiUrl }) }, io, fallback);
  const progress = io.progress('Examining');
  const found = await examine(io, target).finally(() => progress.end());
  const wrong = found.filter(({ status }) => status === 'wrong').length;
  const report = { ok: wrong === 0, apiUrl: target.apiUrl, findings: found };
  await print(io, options.json, report, found.map(formatFinding).join('\n'));
  if (wrong > 0) throw new Failure(`Found ${wrong} ${wrong === 1 ? 'problem' : 'problems'}.`);
}

async function examine(io: Io, target: Target): Promise<Finding[]> {
  const [server, settings, database, mail] = await Promise.all([
    checkServer(target),
    checkSettings(io),
    checkDatabase(io),
    checkMail(io),
  ]);
  const node = nodeVersionFinding(io.nodeVersion, Date.now());
  const proxy = trustedProxyFinding(target.apiUrl, io.env.TESSERA_TRUST_PROXY);
  return [...server, ...settings, proxy, ...database, mail, node];
}

const marks = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ', skipped: '-      ' } as const;

function formatFinding({ name, status, message, fix }: Finding): string {
  return `${marks[status]}  ${name}: ${message}${fix === undefined ? '' : `\n             ${fix}`}`;
}
