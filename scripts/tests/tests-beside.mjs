import { dirname } from 'node:path/posix';

/** A folder with the whole source of a package: its tests are too many for one file. */
const wholePackage = /^(?:(?:packages|apps)\/[^/]+(?:\/src)?|scripts)$/;

/**
 * The tests beside a file: those of the nearest folder that has any, with its subfolders. Of the top folder of a package
 * only the tests directly in it.
 *
 * @param {string} file path from the root of the repository
 * @param {readonly string[]} tests paths of all tests
 */
export function testsBeside(file, tests) {
  if (tests.includes(file)) return [file];
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    if (wholePackage.test(folder)) return tests.filter(test => dirname(test) === folder);
    const found = tests.filter(test => test.startsWith(`${folder}/`));
    if (found.length > 0) return found;
  }
  return [];
}
