import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** By path, as promises: requests at the same time compress a file once. */
const compressed = new Map();

/** The compressed contents of a file that never changes. */
export function compressedFile(path) {
  const known = compressed.get(path);
  if (known !== undefined) return known;
  const contents = readFile(path).then(promisify(gzip));
  compressed.set(path, contents);
  // A file that could not be read is read again.
  contents.catch(() => compressed.delete(path));
  return contents;
}

/** Whether a browser takes gzip, by its header `accept-encoding`. */
export function acceptsGzip(header = '') {
  const gzip = header.split(',').find(part => part.split(';')[0].trim().toLowerCase() === 'gzip');
  return gzip !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(gzip);
}
