import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run, runTool } from '../setup/processes.mjs';
import { Problem, print, seconds } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';
import { testsBeside } from './tests-beside.mjs';

/**
 * Runs lint, types and tests for the changes since the branch point with `origin/main`, uncommitted ones included. The
 * tests are those beside the changed files: by imports, nearly every file of the server concerns every test of it.
 * Journeys take minutes and need builds, so they are left to `npm test`.
 *
 * @returns {Promise<string[]>} the names of the failed steps
 */
export async function testChanged() {
  const base = await branchPoint();
  const files = await changedFiles(base);
  if (files.length === 0) {
    print('Nothing changed.');
    return [];
  }

  const folders = [
    ...new Set(files.map(file => /^(?:packages|apps)\/[^/]+|^e2e|^bench|^scripts/.exec(file)?.[0] ?? '')),
  ].filter(folder => folder !== '' && existsSync(join(root, folder, 'tsconfig.json')));
  const tests = await listTestsBeside(files);
  /** @type {[string, () => ReturnType<typeof run>][]} */
  const steps = [
    [
      'lint and format',
      () => runTool('@biomejs/biome:biome', ['check', '--no-errors-on-unmatched', ...files], { cwd: root }),
    ],
    ...folders.map(
      folder =>
        /** @type {[string, () => ReturnType<typeof run>]} */ ([
          `types ${folder}`,
          () => runTool('typescript7:tsc', ['--project', folder, '--noEmit', '--pretty', 'false'], { cwd: root }),
        ]),
    ),
    ...(tests.length === 0
      ? []
      : [
          /** @type {[string, () => ReturnType<typeof run>]} */ ([
            'tests beside the changes',
            () => runTool('vitest', ['run', '--project', '!e2e', ...tests], { cwd: root, show: true }),
          ]),
        ]),
  ];

  const failed = [];
  for (const [name, body] of steps) {
    const startedAt = performance.now();
    const { ok, output } = await body();
    print(`${ok ? '✓' : '✗'} ${name}  ${seconds(startedAt)}`);
    if (!ok) {
      print(output.trim());
      failed.push(name);
    }
  }
  return failed;
}

async function branchPoint() {
  const { ok, stdout } = await git('merge-base', 'HEAD', 'origin/main');
  return ok ? stdout.trim() : 'HEAD';
}

async function changedFiles(base) {
  const [changed, added] = await Promise.all([
    git('diff', '--name-only', '--diff-filter=d', base),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  if (!changed.ok) throw new Problem(`git cannot list the changes:\n${changed.output}`);
  return `${changed.stdout}${added.stdout}`.split('\n').filter(Boolean);
}

async function listTestsBeside(files) {
  const { stdout } = await git('ls-files', '--cached', '--others', '--exclude-standard', '*.test.*');
  const tests = stdout.split('\n').filter(test => test !== '' && !test.startsWith('e2e/'));
  return [...new Set(files.flatMap(file => testsBeside(file, tests)))];
}

function git(...args) {
  return run('git', args, { cwd: root });
}
