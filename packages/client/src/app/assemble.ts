import type { AccessLevel } from '@tessera/protocol';
import type { Read } from '../cache/resource.ts';
import { fetchesOf, withInternals } from '../objects/entity.ts';
import type { Platform } from '../platform/platform.ts';
import type { AnyAppOptions } from './config/config.ts';
import { type Context, createContext, type LevelParts } from './context.ts';

/** The members that a feature adds to an app. */
interface Part {
  readonly reads?: object;
  readonly methods?: object;
  readonly internals?: object;
}

/** The configuration of an app level. */
export interface Recipe extends LevelParts {
  readonly level: AccessLevel;
  readonly features: readonly ((ctx: Context<'client'>) => Part)[];
}

interface Assembled {
  readonly level: AccessLevel;
  readonly ctx: Context<'client'>;
}

/** The levels and contexts of all apps, for SDK code that receives an app. */
export const assembled = new WeakMap<object, Assembled>();

/** Merges the members of all features into an app. */
export function assemble(app: object, recipe: Recipe, options: AnyAppOptions, platform: Platform): void {
  const ctx = createContext(options, platform, recipe);
  const { config, send, sessions } = ctx;
  const parts = recipe.features.map(feature => feature(ctx));
  const reads: Record<string, Read> = mergeAll(parts.map(part => part.reads));
  assembled.set(app, { level: recipe.level, ctx });

  const ownInternals = {
    reads,
    redirectMethod: config.redirectMethod,
    async sendRequest(path: string, init: RequestInit = {}, as: AccessLevel = 'client'): Promise<Response> {
      // The app of an owned project has no token store, and this call has no option for one.
      const session = config.tokenStore === null ? null : await sessions.of();
      return send({ path, init, level: as, session }, response => response);
    },
  };

  Object.assign(
    app,
    { projectId: config.projectId, urls: config.urls },
    fetchesOf(reads),
    mergeAll(parts.map(part => part.methods)),
  );
  withInternals(app, mergeAll([ownInternals, ...parts.map(part => part.internals)]));
}

function mergeAll<T extends object>(objects: readonly (object | undefined)[]): T {
  return Object.assign({}, ...objects);
}
