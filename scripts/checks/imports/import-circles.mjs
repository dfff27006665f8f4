import { posix } from 'node:path';

/** The types of these packages are recursive: a user of an admin app has projects, and each project has an admin app. */
const recursiveTypes = /^packages\/(client|react|protocol)\//;

/**
 * Finds files of a package that import each other in a circle, lazy imports included, and types except `recursiveTypes`.
 *
 * @param {Map<string, { imports: { specifier: string, isType: boolean, line: number }[] }>} sources by path
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function findCircles(sources) {
  const targets = file =>
    (sources.get(file)?.imports ?? [])
      .filter(({ specifier, isType }) => specifier.startsWith('.') && !(isType && recursiveTypes.test(file)))
      .map(({ specifier, line }) => ({ line, target: posix.join(posix.dirname(file), specifier) }))
      .filter(({ target }) => sources.has(target));

  const found = [];
  const finished = new Set();
  const walk = (file, path) => {
    for (const { target, line } of targets(file)) {
      const start = path.indexOf(target);
      if (start !== -1) {
        const circle = [...path.slice(start), target].join(' → ');
        found.push({ file, line, message: `imports itself in a circle: ${circle}` });
      } else if (!finished.has(target)) {
        walk(target, [...path, target]);
      }
    }
    finished.add(file);
  };
  for (const file of sources.keys()) if (!finished.has(file)) walk(file, [file]);
  return found;
}
