import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Io } from './io.ts';

/** Keys of a project on a development server. */
export interface ProjectKeys {
  readonly publishableClientKey: string;
  readonly secretServerKey: string;
  readonly superSecretAdminKey: string;
}

/** `keys.json` in a data folder, written by a development server. */
export interface KeyFile {
  readonly url: string;
  /** Id of the demo's project. */
  readonly demo: string | undefined;
  readonly projects: Readonly<Record<string, ProjectKeys>>;
}

/**
 * The data folder: the given one, else that of the environment, else the nearest `.tessera` upwards from the current folder. Folders of other
 * users are passed over: in a shared folder such as `/tmp` any user can create one, and it would choose the server.
 */
export function dataFolder({ env, cwd }: Pick<Io, 'env' | 'cwd'>, given = env.TESSERA_DATA_DIR): string {
  if (given !== undefined) return resolve(cwd, given);
  for (let folder = cwd; ; folder = dirname(folder)) {
    const candidate = join(folder, '.tessera');
    if (isTrusted(candidate, cwd)) return candidate;
    if (dirname(folder) === folder) return join(cwd, '.tessera');
  }
}

const root = 0;

/** Whether a folder exists and belongs to this user, to the administrator, or to the owner of the current folder. */
function isTrusted(candidate: string, cwd: string): boolean {
  // Windows has no owner ids: all of them are 0 there.
  const trusted = [root, process.getuid?.(), statSync(cwd).uid];
  const isOfTrusted = (entry: Stats | undefined) => entry !== undefined && trusted.includes(entry.uid);
  // Another user can create a link to a folder of a trusted one, such as `/tmp` itself.
  const options = { throwIfNoEntry: false } as const;
  return isOfTrusted(lstatSync(candidate, options)) && isOfTrusted(statSync(candidate, options));
}

/** Undefined when the file is missing or has another format. */
export function readKeyFile(io: Pick<Io, 'env' | 'cwd'>, dataDir?: string): KeyFile | undefined {
  try {
    const { url, demo, projects } = JSON.parse(readFileSync(join(dataFolder(io, dataDir), 'keys.json'), 'utf8'));
    if (typeof url !== 'string' || typeof projects !== 'object' || projects === null) return undefined;
    return { url, demo: typeof demo === 'string' ? demo : undefined, projects };
  } catch {
    // The file is missing, not readable, or damaged.
    return undefined;
  }
}
