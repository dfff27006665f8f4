import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './processes.mjs';
import { Problem, say, seconds } from './terminal.mjs';
import { root } from './workspace.mjs';

/**
 * npm leaves in node_modules a copy of the lock file with what it really installed, written last. Comparing the two
 * notices a changed lock file, an interrupted installation and a manual one alike.
 */
export function isInstalled() {
  const wanted = readLock('package-lock.json');
  const installed = readLock('node_modules/.package-lock.json');
  if (!installed) return false;
  if (!wanted) return true;

  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed.packages[path];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readLock(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

export async function install() {
  const startedAt = performance.now();
  const isFirst = !existsSync(join(root, 'node_modules'));
  say(isFirst ? 'Installing packages (about a minute, only this once) …' : 'Installing changed packages …');

  // Not `npm ci`: it refuses the lock file on registries that lack the optional packages of other platforms. `--no-save`
  // makes `npm install` just as faithful to the lock file, and it adds to an older installation in seconds.
  const result = await runNpm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
  if (!result.ok) throw new Problem(`${result.output.trim()}\n\nInstalling packages failed. ${hint(result.output)}`);

  say(`Packages installed in ${seconds(startedAt)}.`);
}

function hint(output) {
  if (/ENOSPC/.test(output)) return 'The disk is full: make room and run the same command again.';
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(output)) {
    return 'The npm registry cannot be reached: check the network, or the proxy settings of npm.';
  }
  if (/EACCES|EPERM/.test(output)) return 'This account may not write here: check who owns the folder.';
  return 'The lines above are what npm says about it.';
}
