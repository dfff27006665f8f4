import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem } from './terminal.mjs';

/**
 * Runs a program until it ends. With `show` its output goes to the terminal. Otherwise the output is returned:
 * `stdout` alone, and `output` with stdout and stderr.
 * An exit code never throws.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, show?: boolean }} [options]
 * @returns {Promise<{ ok: boolean, code: number | string | null, output: string, stdout: string }>}
 */
export function run(program, args, { cwd, env, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...(show ? {} : { NO_COLOR: '1' }), ...env },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    const chunks = [];
    const answer = [];
    child.stdout?.on('data', chunk => {
      chunks.push(chunk);
      answer.push(chunk);
    });
    child.stderr?.on('data', chunk => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ ok: code === 0, code: code ?? signal, output: textOf(chunks), stdout: textOf(answer) }),
    );
  });
}

function textOf(chunks) {
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Runs an installed tool with this Node, or with `node`. npx or npm would add half a second.
 *
 * @param {string} name
 * @param {string[]} args
 * @param {{ cwd: string, env?: Record<string, string | undefined>, show?: boolean, node?: string }} options
 */
export function runTool(name, args, { node = process.execPath, ...options }) {
  return run(node, [toolPath(name, options.cwd), ...args], options);
}

/** On Windows npm is a shell script. The path that npm passes to its scripts works everywhere. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? run(process.execPath, [npm, ...args], options) : run('npm', args, options);
}

/** `name` is a package, or `package:bin` for a package with several programs. */
function toolPath(name, from) {
  const [packageName, binName = packageName.split('/').at(-1)] = name.split(':');
  const folder = installedFolder(packageName, from);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[binName]);
}

function installedFolder(packageName, from) {
  const folder = join(from, 'node_modules', packageName);
  if (existsSync(folder)) return folder;
  if (dirname(from) === from) throw new Problem(`${packageName} is not installed. Run \`npm install\`.`);
  return installedFolder(packageName, dirname(from));
}

/** Maps in parallel, with at most one call per core. */
export async function mapInParallel(items, fn) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await fn(items[index]);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return results;
}
