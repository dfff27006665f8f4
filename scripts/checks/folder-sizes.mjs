import { posix } from 'node:path';

/** A reader finds a file at a glance among about twenty; a larger folder is grouped by subject. */
export const maxFiles = 22;

/** Folders that may hold more, each with the reason. */
const exceptions = {
  'packages/server/src/migrations': 'migrations are a list by nature',
};

/**
 * Finds source folders with too many files. Files of subfolders count for their own folder.
 *
 * @param {Map<string, string>} files text by path
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function findLargeFolders(files) {
  const counts = new Map();
  for (const path of files.keys()) {
    if (!isSource(path)) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > maxFiles && !(folder in exceptions))
    .map(([folder, count]) => ({
      file: folder,
      line: 1,
      message: `holds ${count} files, more than ${maxFiles}; group them in folders by subject`,
    }));
}

function isSource(path) {
  return /^(?:(?:packages|apps)\/[^/]+\/src|e2e|bench|scripts)\//.test(path) && !path.includes('/__snapshots__/');
}
