import type { CallOptions } from '@tessera/testing/call';
import type { Outcome } from '@tessera/testing/outcome';
import type { TestServer } from '../../../test/harness.ts';
import { openScene, type Person, type Scene } from '../../sign-in/scene.fixtures.ts';

export interface Channel {
  readonly id: string;
  readonly user_id: string;
  readonly value: string;
  readonly type: string;
  readonly used_for_auth: boolean;
  readonly is_verified: boolean;
  readonly is_primary: boolean;
}

export const levels = ['client', 'server', 'admin'] as const;
export const asServer = { level: 'server' } as const;
export const as = ({ accessToken }: Person): CallOptions => ({ accessToken });
export const bodyOf = <T>(outcome: Outcome) => (outcome as unknown as { body: T }).body;

export const taken = (contact_channel_value: string | null) => ({
  status: 409,
  code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
  details: { type: 'email', contact_channel_value },
});
export const listed = (items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });

export type ChannelScene = Awaited<ReturnType<typeof openChannelScene>>;

/** A new project with two users. The calls concern channels of the first one, unless they name another. */
export async function openChannelScene(server: TestServer) {
  const scene: Scene = await openScene(server);
  const [ada, eve] = [await scene.person(), await scene.person()];
  const route = '/contact-channels/{user_id}/{contact_channel_id}' as const;
  const paramsOf = (channel: Pick<Channel, 'id'>, user_id = ada.id) => ({ user_id, contact_channel_id: channel.id });

  const create = (options: CallOptions, body: object = {}) =>
    scene.call('POST /contact-channels', {
      ...options,
      body: { user_id: ada.id, value: scene.address(), type: 'email', used_for_auth: false, ...body },
    });
  const list = (options: CallOptions, query: CallOptions['query'] = {}) =>
    scene.call('GET /contact-channels', { ...options, query });
  const read = (channel: Pick<Channel, 'id'>, options: CallOptions, userId?: string) =>
    scene.call(`GET ${route}`, { ...options, params: paramsOf(channel, userId) });
  const update = (channel: Pick<Channel, 'id'>, options: CallOptions, body: object, userId?: string) =>
    scene.call(`PATCH ${route}`, { ...options, params: paramsOf(channel, userId), body });
  const remove = (channel: Pick<Channel, 'id'>, options: CallOptions, userId?: string) =>
    scene.call(`DELETE ${route}`, { ...options, params: paramsOf(channel, userId) });

  /** Creates a channel, later than those before it. */
  async function channel(body: object = {}): Promise<Channel> {
    const made = bodyOf<Channel>(await create(asServer, body));
    server.clock.advance(1);
    return made;
  }

  return { scene, ada, eve, create, list, read, update, remove, channel };
}
