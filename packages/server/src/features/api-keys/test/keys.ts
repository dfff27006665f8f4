import type { CallOptions } from '@tessera/testing/call';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Person, Scene } from '../../teams/scene.fixtures.ts';

export interface MadeKey {
  readonly id: string;
  readonly value: string;
}

const made = z.object({ body: z.object({ id: z.string(), value: z.string() }) });

export const keysOn = { allowUserApiKeys: true, allowTeamApiKeys: true };

/** Creates a user key at level server. */
export async function userKey(scene: Scene, { id: user_id }: Person, fields: object = {}): Promise<MadeKey> {
  const body = { description: 'A key', expires_at_millis: null, user_id, ...fields };
  return made.parse(await scene.call('POST /user-api-keys', { level: 'server', body })).body;
}

/** Creates a team key at level server. */
export async function teamKey(scene: Scene, team_id: string, fields: object = {}): Promise<MadeKey> {
  const body = { description: 'A key', expires_at_millis: null, team_id, ...fields };
  return made.parse(await scene.call('POST /team-api-keys', { level: 'server', body })).body;
}

export function check(scene: Scene, kind: 'user' | 'team', api_key: unknown, options: CallOptions = {}) {
  return scene.call(`POST /${kind}-api-keys/check`, { level: 'server', body: { api_key }, ...options });
}

const forms = {
  'sk user': /^sk_[0-9a-hjkmnp-tv-z]{45}[0-9a-f]{32}user1574ck4u7h[0-9a-f]{8}$/,
  'pk user': /^pk_[0-9a-hjkmnp-tv-z]{45}[0-9a-f]{32}user3574ck4u7h[0-9a-f]{8}$/,
  'sk team': /^sk_[0-9a-hjkmnp-tv-z]{45}[0-9a-f]{32}team1574ck4u7h[0-9a-f]{8}$/,
  'pk team': /^pk_[0-9a-hjkmnp-tv-z]{45}[0-9a-f]{32}team3574ck4u7h[0-9a-f]{8}$/,
};

/** Placeholders for random values in expected responses. */
export const aValue = (prefix: 'sk' | 'pk', kind: 'user' | 'team') => expect.stringMatching(forms[`${prefix} ${kind}`]);
export const masked = { last_four: expect.stringMatching(/^[0-9a-f]{4}$/) };
