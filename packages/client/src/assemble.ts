import type { AccessLevel } from '@tessera/protocol';
import { appToJson } from './app-json.ts';
import type { AnyAppOptions } from './config.ts';
import { type Context, createContext } from './context.ts';
import { fetchesOf } from './entity.ts';
import { currentServerUser } from './features/current-server-user.ts';
import { currentUser } from './features/current-user.ts';
import { project } from './features/project.ts';
import { redirects } from './features/redirects.ts';
import { password } from './features/sign-in/password.ts';
import { signOut } from './features/sign-out.ts';
import { internals } from './internals-symbol.ts';
import type { Platform } from './platform/platform.ts';
import type { Read } from './resource.ts';

/** What a feature adds to an app. */
interface Part {
  readonly reads?: object;
  readonly methods?: object;
  readonly internals?: object;
}

type Feature = (ctx: Context<'client'>) => Part;

/** What makes an app of some level. */
export interface Recipe {
  readonly level: AccessLevel;
  readonly features: readonly Feature[];
}

const everywhere: readonly Feature[] = [project, redirects, signOut, password];

// Functions, so that a bundle leaves out the levels that it does not use.
export const clientRecipe = (): Recipe => ({ level: 'client', features: [...everywhere, currentUser] });
export const serverRecipe = (): Recipe => ({ level: 'server', features: [...everywhere, currentServerUser] });
export const adminRecipe = (): Recipe => ({ ...serverRecipe(), level: 'admin' });

/** Gives an app its members: those of its features, merged. */
export function assemble(app: object, { level, features }: Recipe, options: AnyAppOptions, platform: Platform): void {
  const ctx = createContext(level, options, platform);
  const { config, send, sessions } = ctx;
  const parts = features.map(feature => feature(ctx.at('client')));
  const reads: Record<string, Read> = merged(parts.map(part => part.reads));

  const ownInternals = {
    reads,
    redirectMethod: config.redirectMethod,
    toClientJson: () => appToJson(app, options, config),
    sendRequest: (path: string, init: RequestInit = {}, as: AccessLevel = 'client') =>
      send({ path, init, level: as, session: sessions.of() }),
  };

  Object.assign(
    app,
    { projectId: config.projectId, urls: config.urls },
    fetchesOf(reads),
    merged(parts.map(part => part.methods)),
    { [internals]: merged([ownInternals, ...parts.map(part => part.internals)]) },
  );
}

function merged<T extends object>(objects: readonly (object | undefined)[]): T {
  return Object.assign({}, ...objects);
}
