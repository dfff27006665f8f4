import type { AccessLevel } from '@tessera/protocol';
import { createWriteLock, type WriteLock } from './cache/write-lock.ts';
import { createClock } from './clock.ts';
import { type AnyAppOptions, type Config, resolveConfig } from './config.ts';
import type { Platform } from './platform/platform.ts';
import { createNavigation, type Navigation } from './redirects.ts';
import { createMakeResource, type MakeResource } from './resource.ts';
import { createRefresh } from './session/refresh.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import { type Call, createCall } from './transport/call.ts';
import { createSend, type Send } from './transport/send.ts';

/** What a feature works with. Its calls are made at level `L`. */
export interface Context<L extends AccessLevel = AccessLevel> {
  readonly config: Config;
  readonly platform: Platform;
  readonly call: Call<L>;
  readonly send: Send;
  readonly sessions: Sessions;
  readonly navigation: Navigation;
  readonly resource: MakeResource;
  readonly writeLock: WriteLock;
  /** The same with calls at another level. */
  at<Other extends AccessLevel>(level: Other): Context<Other>;
}

export function createContext<L extends AccessLevel>(level: L, options: AnyAppOptions, platform: Platform): Context<L> {
  const config = resolveConfig(level, options, platform.page ? 'browser' : 'server');
  const clock = createClock(platform.now);
  const send = createSend({ config, platform, clock });
  const writeLock = createWriteLock();
  const refresh = createRefresh({ config, platform, clock });
  const { projectId, tokenStore } = config;
  const shared = {
    config,
    platform,
    send,
    sessions: createSessions({ tokenStore, projectId, page: platform.page, now: clock.now, refresh }),
    navigation: createNavigation(config, platform),
    resource: createMakeResource({ platform, writeLock }),
    writeLock,
  };
  const at = <Other extends AccessLevel>(other: Other): Context<Other> => ({
    ...shared,
    call: createCall(send, other),
    at,
  });
  return at(level);
}
