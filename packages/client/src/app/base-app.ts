import type { AccessLevel } from '@tessera/protocol';
import { flows } from '../features/flows.ts';
import { redirects } from '../features/redirects.ts';
import { currentPlatform } from '../platform/current-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { assemble, assembled, type Recipe } from './assemble.ts';
import type { AnyAppOptions } from './config/config.ts';

/** The features of apps of all levels. */
export const everywhere: Recipe['features'] = [redirects, flows];

const levels: readonly AccessLevel[] = ['client', 'server', 'admin'];

/**
 * An app: the members of the features of its level. The classes of the levels do not extend each other, because a client
 * app can load the admin level; `instanceof` compares levels instead, since a server app can do what a client app can.
 */
export class App {
  static readonly level: AccessLevel = 'client';

  static [Symbol.hasInstance](value: unknown): boolean {
    const level = assembled.get(value as object)?.level;
    // biome-ignore lint/complexity/noThisInStatic: a subclass compares with its own level.
    return level !== undefined && levels.indexOf(level) >= levels.indexOf(this.level);
  }

  constructor(recipe: Recipe, options: AnyAppOptions, platform: Platform = currentPlatform()) {
    assemble(this, recipe, options, platform);
  }
}
