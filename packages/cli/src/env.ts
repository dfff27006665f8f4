import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variables. An empty variable counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined && value !== ''));
}

/** The folder of the login file. */
export function configFolder(env: Environment): string {
  if (env.TESSERA_CONFIG_DIR !== undefined) return env.TESSERA_CONFIG_DIR;
  if (process.platform === 'win32' && env.APPDATA !== undefined) return join(env.APPDATA, 'tessera');
  return join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'tessera');
}
