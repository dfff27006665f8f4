import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isBuiltin, nameOfPackage } from './checks/imports/specifiers.mjs';
import { writeSbom } from './checks/supply-chain.mjs';
import { findTypeProblems } from './checks/type-problems.mjs';
import { runNpm, runTool } from './setup/processes.mjs';
import { setup } from './setup/setup.mjs';
import { main, Problem, print } from './setup/terminal.mjs';
import { cacheFolder, root } from './setup/workspace.mjs';

const packed = ['protocol', 'client', 'react', 'embedded-postgres', 'server', 'cli'];
const target = join(root, 'packed');
const digestsFile = join(cacheFolder, 'packed.json');

/** `npm run pack`: writes installable tarballs of the public packages to packed/. An unchanged package keeps its own. */
await main(async () => {
  // The package of the server contains the dashboard.
  await setup({ types: true, only: [...packed, 'dashboard'] });
  mkdirSync(target, { recursive: true });

  // Loads TypeScript, which the setup installs.
  const { readSource } = await import('./checks/imports/source-imports.mjs');
  const staging = mkdtempSync(join(tmpdir(), 'tessera-pack-'));
  try {
    for (const name of packed) await packOne(name, join(staging, name), readSource);
    removeOthers();
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }

  for (const file of await writeSbom(target, packed)) print(`packed/${file}`);
  print(`\nFor an app:           ${installCommand(['protocol', 'client', 'react'])}`);
  print(`For a Tessera server: ${installCommand(packed)}`);
});

async function packOne(name, folder, readSource) {
  const source = join(root, 'packages', name);
  const manifest = publicManifest(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')));
  for (const entry of manifest.files.filter(entry => !entry.startsWith('!'))) {
    if (!existsSync(join(source, entry)))
      throw new Problem(`packages/${name} has no ${entry}, which its package contains.`);
    cpSync(join(source, entry), join(folder, entry), { recursive: true });
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const tarball = tarballOf(manifest);
  const digest = digestOf(folder);
  if (readDigests()[name] === digest && existsSync(join(target, tarball))) {
    print(`packed/${tarball} is current`);
    return;
  }

  assertExportsExist(manifest, folder);
  assertImportsDeclared(manifest, folder, readSource);
  await runOrFail(() => runTool('publint', [folder], { cwd: root }), `publint on ${name}`);
  await runOrFail(
    () => runNpm(['pack', '--silent', '--ignore-scripts', '--pack-destination', target], { cwd: folder }),
    `npm pack of ${name}`,
  );
  const problems = await findTypeProblems(join(target, tarball));
  if (problems.length > 0) throw new Problem(`${manifest.name} has wrong types:\n${problems.join('\n')}`);
  // Written last: a package that failed a check is packed and checked again.
  writeFileSync(digestsFile, JSON.stringify({ ...readDigests(), [name]: digest }));
  print(`packed/${tarball}`);
}

/** @param {Record<string, any>} manifest */
function tarballOf({ name, version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

/** @returns {Record<string, string>} the digest of the contents of each packed package, by name */
function readDigests() {
  return existsSync(digestsFile) ? JSON.parse(readFileSync(digestsFile, 'utf8')) : {};
}

/** Names and contents of the files, and the versions of the tools and of the packages that the types refer to. */
function digestOf(folder) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of listFiles(folder).sort()) {
    const content = readFileSync(file);
    hash.update(`\0${relative(folder, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The file name of the tarball of a package, by the name of its folder. */
function currentTarball(name) {
  return tarballOf(JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')));
}

/** With absolute paths, because it runs in the folder of an app. */
function installCommand(names) {
  return `npm install ${names.map(name => join(target, currentTarball(name))).join(' ')}`;
}

/** Removes tarballs of other versions and of packages that are not packed any more. */
function removeOthers() {
  const current = new Set(packed.map(currentTarball));
  for (const file of readdirSync(target)) {
    if (!current.has(file)) rmSync(join(target, file), { recursive: true, force: true });
  }
}

/** The manifest for customers: no paths to sources, which the tarball does not contain. @returns {Record<string, any>} */
function publicManifest({ scripts, devDependencies, ...manifest }) {
  const exports = Object.entries(manifest.exports).map(([name, entry]) => [name, withoutSource(entry)]);
  return { ...manifest, exports: Object.fromEntries(exports) };
}

function withoutSource(entry) {
  if (typeof entry === 'string') return entry;
  const { source, ...rest } = entry;
  return rest;
}

function assertExportsExist(manifest, folder) {
  const files = Object.values(manifest.exports).flatMap(entry =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  const missing = files.filter(file => !existsSync(join(folder, file)));
  if (missing.length > 0)
    throw new Problem(`${manifest.name} exports files that its build does not produce: ${missing.join(', ')}`);
}

/** The bundler keeps an import that it cannot resolve. Such an import would fail for customers. */
function assertImportsDeclared(manifest, folder, readSource) {
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
  const missing = new Set(
    listFiles(join(folder, 'dist'))
      .filter(file => /\.js$|\.d\.ts$/.test(file))
      .flatMap(file => readSource(file, readFileSync(file, 'utf8')).imports)
      .map(({ specifier }) => nameOfPackage(specifier))
      .filter(name => !name.startsWith('.') && !isBuiltin(name) && !(name in declared) && name !== manifest.name),
  );
  if (missing.size > 0) {
    throw new Problem(
      `${manifest.name} imports packages that its package.json does not declare: ${[...missing].join(', ')}`,
    );
  }
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

async function runOrFail(body, what) {
  const result = await body();
  if (!result.ok) throw new Problem(`${result.output.trim()}\n\n${what} failed.`);
}
