import { useQuery } from '@tanstack/react-query';
import { Badge } from '@tessera/ui';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { channelsQuery, type User } from '../queries.ts';
import { words } from '../words.ts';

/** The email addresses of a user. */
export function ChannelsPanel({ user }: { readonly user: User }) {
  const query = useQuery(channelsQuery(useProject(), user));
  return (
    <Panel title={words.detail.channels}>
      <PanelList query={query} itemKey={channel => channel.id} empty={words.detail.noChannels}>
        {channel => (
          <>
            <span dir="ltr" className="tss:min-w-0 tss:flex-1 tss:wrap-anywhere">
              {channel.value}
            </span>
            {channel.isPrimary && <Badge>{words.detail.primary}</Badge>}
            {channel.usedForAuth && <Badge>{words.detail.usedForSignIn}</Badge>}
            <Badge tone={channel.isVerified ? 'primary' : 'neutral'}>
              {channel.isVerified ? words.verified : words.unverified}
            </Badge>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
