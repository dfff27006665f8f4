import { apiKeyServiceEndpoints, teamApiKeyEndpoints, userApiKeyEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { batchLoad } from '../../platform/database/batches/batch-load.ts';
import type { Database } from '../../platform/database/database.ts';
import { type ApiKeyDeps, changeKey, checkKey, createKey, type KeyCheckDeps, listKeys, readKey } from './keys.ts';
import { type KeyLeakDeps, revokeLeakedKey } from './leaks.ts';
import { type PresentedSecret, selectKey, selectKeysBySecret } from './store.ts';
import { keyChanges, keyRequest, presentedKey, teamKeyView, userKeyView } from './wire.ts';

type ApiKeyRoutesDeps = ApiKeyDeps &
  KeyLeakDeps & {
    readonly db: Database;
  };

export function apiKeyRoutes(deps: ApiKeyRoutesDeps): BoundRoute[] {
  const findKey = batchLoad((presented: readonly PresentedSecret[]) => selectKeysBySecret(deps.db, presented));
  return [
    ...userKeyRoutes({ ...deps, findKey }),
    ...teamKeyRoutes({ ...deps, findKey }),

    bind(apiKeyServiceEndpoints.revokeLeaked, async ({ body, source }) => {
      await revokeLeakedKey(body.api_key, source, deps);
      return { success: true } as const;
    }),

    bind(apiKeyServiceEndpoints.readUsage, async ({ project, params }) => {
      const key = await selectKey(deps.db, project.id, params.id);
      if (key === undefined) refuse(404, 'There is no such API key.');
      return { id: key.id, last_used_at_millis: key.lastUsedAtMillis };
    }),
  ];
}

function userKeyRoutes(deps: KeyCheckDeps): BoundRoute[] {
  return [
    bind(userApiKeyEndpoints.create, async call => {
      const owner = { kind: 'user', id: call.targetUserId } as const;
      const { key, value } = await createKey(call, owner, keyRequest(call.body), deps);
      return { ...userKeyView(key), value };
    }),

    bind(userApiKeyEndpoints.list, async call => {
      const owner = { kind: 'user', id: call.targetUserId } as const;
      const keys = await listKeys(call, owner, deps);
      return { items: keys.map(userKeyView), is_paginated: false } as const;
    }),

    bind(userApiKeyEndpoints.read, async call => userKeyView(await readKey(call, 'user', call.params.id, deps))),

    bind(userApiKeyEndpoints.update, async call => {
      const changes = { id: call.params.id, ...keyChanges(call.body) };
      return userKeyView(await changeKey(call, 'user', changes, deps));
    }),

    bind(userApiKeyEndpoints.check, async call =>
      userKeyView(await checkKey(call, 'user', presentedKey(call.body), deps)),
    ),
  ];
}

function teamKeyRoutes(deps: KeyCheckDeps): BoundRoute[] {
  return [
    bind(teamApiKeyEndpoints.create, async call => {
      const owner = { kind: 'team', id: call.body.team_id.toLowerCase() } as const;
      const { key, value } = await createKey(call, owner, keyRequest(call.body), deps);
      return { ...teamKeyView(key), value };
    }),

    bind(teamApiKeyEndpoints.list, async call => {
      const owner = { kind: 'team', id: call.query.team_id.toLowerCase() } as const;
      const keys = await listKeys(call, owner, deps);
      return { items: keys.map(teamKeyView), is_paginated: false } as const;
    }),

    bind(teamApiKeyEndpoints.read, async call => teamKeyView(await readKey(call, 'team', call.params.id, deps))),

    bind(teamApiKeyEndpoints.update, async call => {
      const changes = { id: call.params.id, ...keyChanges(call.body) };
      return teamKeyView(await changeKey(call, 'team', changes, deps));
    }),

    bind(teamApiKeyEndpoints.check, async call =>
      teamKeyView(await checkKey(call, 'team', presentedKey(call.body), deps)),
    ),
  ];
}
