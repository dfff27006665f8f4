import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/** The entries of a package for its build: what its package.json exports with a `source` condition, by file name. */
export function doorsOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const sources = Object.values(exports).flatMap(target => target.source ?? []);
  return Object.fromEntries(sources.map(source => [basename(source, extname(source)), source]));
}
