import type { Answer, contactChannelEndpoints, Input } from '@tessera/protocol';
import { normalizedEmail } from '../users/index.ts';
import type { ChannelPatch } from './rules.ts';
import type { ContactChannel } from './store.ts';

export function channelView(channel: ContactChannel): Answer<typeof contactChannelEndpoints.read> {
  return {
    user_id: channel.userId,
    id: channel.id,
    value: channel.value,
    type: 'email',
    used_for_auth: channel.usedForAuth,
    is_verified: channel.isVerified,
    is_primary: channel.isPrimary,
  };
}

export function channelPatch(body: Input<typeof contactChannelEndpoints.update>['body']): ChannelPatch {
  return {
    value: body.value === undefined ? undefined : normalizedEmail(body.value),
    isPrimary: body.is_primary,
    isVerified: body.is_verified,
    usedForAuth: body.used_for_auth,
  };
}
