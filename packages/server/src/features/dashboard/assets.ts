import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { findInstalledFile } from '../../platform/installed-files.ts';

/** The build of apps/dashboard; absent where only the sources are. */
export const builtDashboard = join(dirname(findInstalledFile('package.json')), 'dashboard-dist');

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof encoders;

/** A file of the build as it is sent. */
export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly encoding: Encoding | undefined;
  /** The name has a hash of the content, so the content never changes. */
  readonly isImmutable: boolean;
}

/** One folder, then a name with an extension: no path of this form leaves the build. */
const assetPath = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(\w+)$/;

/**
 * Reads files of the build. Files with a hash in their name are read and compressed once, then kept in memory: the build
 * is a few megabytes.
 */
export function createAssets(folder: string): {
  /** @returns undefined when the build has no such file */
  readonly find: (path: string, acceptEncoding: string) => Promise<Asset | undefined>;
  /** The markup of every page. @returns undefined when the dashboard is not built */
  readonly page: () => Promise<string | undefined>;
} {
  const kept = new Map<string, Promise<Asset | undefined>>();

  return {
    page: async () => (await readIfThere(join(folder, 'index.html')))?.toString('utf8'),
    find: async (path, acceptEncoding) => {
      const extension = assetPath.exec(path)?.[1];
      const type = extension === undefined ? undefined : types[extension];
      if (type === undefined) return undefined;
      const encoding = type.startsWith('font/') ? undefined : preferredEncoding(acceptEncoding);
      const isImmutable = path.startsWith('assets/');
      const load = () => loadAsset(join(folder, path), { type, encoding, isImmutable });
      if (!isImmutable) return load();

      const key = `${encoding ?? 'plain'} ${path}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const asset = load();
      // At once, so that concurrent requests do not compress it again.
      kept.set(key, asset);
      const isFound = asset.then(
        found => found !== undefined,
        () => false,
      );
      // Only names of existing files are kept, so that unknown paths fill no memory.
      if (!(await isFound)) kept.delete(key);
      return asset;
    },
  };
}

async function loadAsset(file: string, about: Omit<Asset, 'body'>): Promise<Asset | undefined> {
  const content = await readIfThere(file);
  if (content === undefined) return undefined;
  const body = about.encoding === undefined ? content : await encoders[about.encoding](content);
  return { ...about, body: new Uint8Array(body) };
}

function preferredEncoding(acceptEncoding: string): Encoding | undefined {
  const accepted = acceptEncoding
    .split(',')
    .filter(item => !/;\s*q=0(?:\.0*)?\s*$/.test(item))
    .map(item => item.split(';', 1)[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find(encoding => accepted.includes(encoding));
}

/** No file, a folder, or a name that is too long for a file. */
const absentCodes: readonly string[] = ['ENOENT', 'EISDIR', 'ENAMETOOLONG'];

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && absentCodes.includes(String(error.code))) return undefined;
    throw error;
  }
}
