import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup/processes.mjs';
import { root } from '../setup/workspace.mjs';

/** Paths, from the root, of all files that git tracks or would add. */
export async function listRepositoryFiles() {
  const listed = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
  }).catch(() => undefined);
  // A downloaded source archive is not a git repository.
  return listed?.ok ? listed.output.split('\0').filter(Boolean) : walk('.');
}

function walk(folder) {
  const generated = ['node_modules', '.git', 'dist', '.cache', '.tessera', 'packed', 'coverage', 'screenshots'];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(entry => !generated.includes(entry.name))
    .flatMap(entry => {
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? walk(path) : [path];
    });
}

/** Text by path. Deleted and binary files are left out. */
export function readTexts(paths) {
  const texts = new Map();
  for (const path of paths) {
    try {
      const text = readFileSync(join(root, path), 'utf8');
      if (!text.includes('\0')) texts.set(path, text);
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'EISDIR') throw error;
    }
  }
  return texts;
}
