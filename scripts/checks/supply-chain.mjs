import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../setup/processes.mjs';
import { main, Problem, print } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';

/**
 * Control 105: third-party packages. `npm run audit` asks the registry for known advisories, `licenceProblems` and
 * `missingPlatforms` read the lock file, `writeSbom` lists all shipped packages.
 */

const advisoriesFile = 'docs/security/advisories.json';
const licencesFile = 'docs/security/licences.json';

/**
 * Asks the registry for advisories about all packages in the lock file.
 *
 * @returns {Promise<{ failures: string[], notRun: string[] }>} `notRun` gives the reason when there is no result
 */
export async function audit() {
  const { stdout } = await runNpm(['audit', '--json', '--package-lock-only'], { cwd: root });
  return reviewAudit(stdout, readJson(advisoriesFile));
}

/** Advisories without a review, and reviewed ones that no longer apply. */
export function reviewAudit(text, reviewed) {
  const report = parse(text);
  if (!report?.vulnerabilities) {
    return { failures: [], notRun: [`npm audit: ${report?.message ?? 'the registry sent no report'}`] };
  }

  const found = Object.values(report.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter(cause => typeof cause === 'object')
    .map(({ url, name, title, severity }) => ({ id: url.split('/').at(-1), text: `${name}: ${title} (${severity})` }));
  const ids = new Set(found.map(({ id }) => id));
  const accepted = new Set(reviewed.map(({ advisory }) => advisory));
  return {
    failures: [
      ...new Set(found.filter(({ id }) => !accepted.has(id)).map(({ id, text }) => `${id} ${text}`)),
      ...[...accepted]
        .filter(id => !ids.has(id))
        .map(id => `${id} no longer applies: remove it from ${advisoriesFile}`),
    ],
    notRun: [],
  };
}

/** Packages in the lock file with a licence that is not on the list. Development tools have a longer list. */
export function licenceProblems(lock = readJson('package-lock.json'), policy = readJson(licencesFile)) {
  const shipped = new Set(policy.shipped);
  const all = new Set([...policy.shipped, ...policy.development]);
  const reviewed = new Set(policy.packages.map(({ name, licence }) => `${name} ${licence}`));
  return Object.entries(lock.packages).flatMap(([path, { license = 'none', dev, link }]) => {
    const name = path.split('node_modules/').at(-1);
    if (!path.includes('node_modules/') || link || (dev ? all : shipped).has(license)) return [];
    if (license === 'none' && policy.packages.some(entry => entry.name === name)) return [];
    if (reviewed.has(`${name} ${license}`)) return [];
    return [`${name} has the licence ${license}: review it in ${licencesFile}`];
  });
}

/**
 * Packages that the lock file lacks although another one needs them on some platform. npm does not install them, and
 * `npm ci` refuses the file: npm leaves out other platforms when it resolves a package that is already installed.
 */
export function missingPlatforms(lock = readJson('package-lock.json')) {
  const names = new Set(Object.keys(lock.packages).map(path => path.split('node_modules/').at(-1)));
  return Object.values(lock.packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter(name => !names.has(name))
    .map(name => `package-lock.json lacks ${name}: remove its dependent from the file and install again`);
}

/** Writes a CycloneDX list of all packages that the named ones install, and the same list with licences as text. */
export async function writeSbom(folder, packages) {
  const workspaces = packages.flatMap(name => ['--workspace', `packages/${name}`]);
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev', ...workspaces];
  const { ok, stdout, output } = await runNpm(args, { cwd: root });
  if (!ok) throw new Problem(`npm sbom failed:\n${output}`);

  const sbom = JSON.parse(stdout);
  // npm uses the name of the clone's folder for the root package.
  sbom.metadata.component.name = 'tessera';
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
  const lines = sbom.components.map(
    ({ name, version, licenses = [] }) => `${name} ${version}  ${licenseText(licenses)}`,
  );
  writeFileSync(join(folder, 'licences.txt'), `${[...new Set(lines)].sort().join('\n')}\n`);
  return ['sbom.cdx.json', 'licences.txt'];
}

function licenseText(licenses) {
  return licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression).join(', ') || 'none';
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (import.meta.filename === process.argv[1]) {
  await main(async () => {
    const { failures, notRun } = await audit();
    for (const line of [...failures, ...notRun.map(reason => `Not run: ${reason}`)]) print(line);
    if (failures.length > 0)
      throw new Problem(
        `Review ${failures.length} ${failures.length === 1 ? 'advisory' : 'advisories'} in ${advisoriesFile}.`,
      );
    if (notRun.length === 0) print('No advisories.');
  });
}
