import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Io } from './io.ts';

/** Keys of a project that a development server has made. */
export interface ProjectKeys {
  readonly publishableClientKey: string;
  readonly secretServerKey: string;
  readonly superSecretAdminKey: string;
}

/** `keys.json` in a data folder: what a development server wrote down for people. */
export interface KeyFile {
  readonly url: string;
  /** Id of the demo's project. */
  readonly demo: string | undefined;
  readonly projects: Readonly<Record<string, ProjectKeys>>;
}

/** The data folder: the one that the environment names, else the nearest `.tessera` upwards from here. */
export function dataFolder({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  if (env.TESSERA_DATA_DIR !== undefined) return resolve(cwd, env.TESSERA_DATA_DIR);
  for (let folder = cwd; ; folder = dirname(folder)) {
    const candidate = join(folder, '.tessera');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return join(cwd, '.tessera');
  }
}

/** Undefined when there is none, or it is not one of ours. */
export function readKeyFile(io: Pick<Io, 'env' | 'cwd'>): KeyFile | undefined {
  try {
    const { url, demo, projects } = JSON.parse(readFileSync(join(dataFolder(io), 'keys.json'), 'utf8'));
    if (typeof url !== 'string' || typeof projects !== 'object' || projects === null) return undefined;
    return { url, demo: typeof demo === 'string' ? demo : undefined, projects };
  } catch {
    // Missing, not readable by this person, or damaged: then there are no keys here.
    return undefined;
  }
}
