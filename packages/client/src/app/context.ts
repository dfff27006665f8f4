import type { AccessLevel } from '@tessera/protocol';
import { createResources, type Resources } from '../cache/resource.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { Platform } from '../platform/platform.ts';
import { lazyRefresh } from '../session/lazy-refresh.ts';
import { createSessions, type Sessions } from '../session/sessions.ts';
import { type Call, createCall } from '../transport/call.ts';
import { createSend, type Send } from '../transport/send.ts';
import { createClock } from '../util/clock.ts';
import { lazily } from '../util/once.ts';
import type { AdminAppConstructor } from './admin-app.ts';
import { type AnyAppOptions, type Config, resolveConfig, type ServerKeys } from './config/config.ts';

/**
 * Loads the constructor of admin apps. A user of the project `internal` has an admin app for each owned project, and an
 * admin app has users: each level passes the loader to its features, so that no feature imports a level.
 */
export type LoadAdminApp = () => Promise<AdminAppConstructor>;

/** What differs between the contexts of the levels. */
export interface LevelParts {
  /** Reads the server keys of the level. */
  readonly keysOf?: (options: AnyAppOptions) => ServerKeys;
  readonly loadAdminApp: LoadAdminApp;
}

/** The dependencies of a feature. Its calls have access level `L`. */
export interface Context<L extends AccessLevel = AccessLevel> {
  /** The options as passed to the constructor. */
  readonly options: AnyAppOptions;
  readonly config: Config;
  readonly platform: Platform;
  readonly call: Call<L>;
  readonly send: Send;
  readonly sessions: Sessions;
  readonly navigation: Navigation;
  readonly resources: Resources;
  readonly loadAdminApp: LoadAdminApp;
  /** The same context with calls at another level. */
  at<Other extends AccessLevel>(level: Other): Context<Other>;
}

export function createContext(
  options: AnyAppOptions,
  platform: Platform,
  { keysOf, loadAdminApp }: LevelParts,
): Context<'client'> {
  const config = resolveConfig(options, platform.page ? 'browser' : 'server', keysOf);
  const clock = createClock(platform.now);
  const send = createSend({ config, platform, clock });
  const refresh = lazyRefresh({ config, platform, clock });
  const shared = {
    options,
    config,
    platform,
    send,
    sessions: createSessions({ config, page: platform.page, now: clock.now, refresh }),
    navigation: lazyNavigation(config, platform),
    resources: createResources({ platform }),
    loadAdminApp,
  };
  const at = <Other extends AccessLevel>(other: Other): Context<Other> => ({
    ...shared,
    call: createCall(send, other),
    at,
  });
  return at('client');
}

/** Loaded at the first redirect: most pages make none. */
function lazyNavigation(config: Config, platform: Platform): Navigation {
  return lazily<Navigation>({ to: true, toPage: true }, async () => {
    const { createNavigation } = await import('../navigation/navigation.ts');
    return createNavigation(config, platform);
  });
}
