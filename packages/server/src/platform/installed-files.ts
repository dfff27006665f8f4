import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Finds a file or folder of this package: the nearest one of this name in the folder of this module or above. The sources
 * and the build have the same files at different depths.
 *
 * @throws when the installation does not have it
 */
export function findInstalledFile(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, name))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`${name} is missing from this installation`);
    folder = parent;
  }
  return join(folder, name);
}
