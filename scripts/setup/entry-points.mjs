import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/** The entry points of a package for its build: the `source` conditions of its exports, by file name. */
export function listEntryPoints(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const sources = Object.values(exports).flatMap(target => target.source ?? []);
  return Object.fromEntries(sources.map(source => [basename(source, extname(source)), source]));
}
