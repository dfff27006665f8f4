import { homedir, tmpdir } from 'node:os';
import { dirname, sep } from 'node:path';

/**
 * Finds traces of a developer's machine: its paths, and the registry of its packages, also in the lock file.
 *
 * @param {Map<string, string>} files text by path
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function findLeaks(files, { root, home = homedir() }) {
  const words = tracesOf(root, home);
  return [...files].flatMap(([file, text]) =>
    text.split('\n').flatMap((content, index) => {
      const word = words.find(candidate => content.includes(candidate));
      return word ? [{ file, line: index + 1, message: `names ${word}, which exists only on this machine` }] : [];
    }),
  );
}

function tracesOf(root, home) {
  const parent = dirname(root);
  const folders = [root, parent, home].filter(
    folder => folder !== dirname(folder) && folder !== tmpdir() && folder !== '/root',
  );
  // Split in two, so that this file does not match itself.
  const ofRegistries = [
    ['https://', 'registry.'],
    ['http://', 'registry.'],
    ['"resolved": "', 'http'],
  ].map(parts => parts.join(''));
  return [...folders.map(folder => `${folder}${sep}`), ...ofRegistries];
}
