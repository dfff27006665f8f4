import { contactChannelEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import { type ChannelChangeDeps, channelChangeRoutes } from './change-routes.ts';
import { resolveChannelOwner } from './rules.ts';
import { selectChannel, selectChannels } from './store.ts';
import { type ChannelVerificationDeps, channelVerificationRoutes } from './verification-routes.ts';
import { channelView } from './wire.ts';

type ContactChannelRoutesDeps = ChannelChangeDeps & ChannelVerificationDeps;

export function contactChannelRoutes(deps: ContactChannelRoutesDeps): BoundRoute[] {
  return [
    bind(contactChannelEndpoints.list, async call => {
      const { contact_channel_id: channelId } = call.query;
      const userId = resolveChannelOwner(call);
      const channels = await selectChannels(deps.db.reads, call.project.id, { userId, channelId });
      return { items: channels.map(channelView), is_paginated: false } as const;
    }),

    bind(contactChannelEndpoints.read, async call => {
      const userId = resolveChannelOwner(call);
      const channel = await selectChannel(deps.db, call.project.id, userId, call.params.contact_channel_id);
      return channelView(channel ?? refuse(404, 'There is no such contact channel.'));
    }),

    ...channelChangeRoutes(deps),
    ...channelVerificationRoutes(deps),
  ];
}
