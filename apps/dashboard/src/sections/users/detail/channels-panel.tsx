import { useQuery } from '@tanstack/react-query';
import { Badge, FormSummary } from '@tessera/ui';
import { MailPlus } from 'lucide-react';
import { useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { type Channel, channelsQuery, type User } from '../queries.ts';
import { words } from '../words.ts';
import { AddChannel } from './add-channel.tsx';
import { ChannelMenu } from './channel-menu.tsx';
import { channelWords } from './channel-words.ts';
import { detailWords } from './detail-words.ts';
import { SendVerification } from './send-verification.tsx';
import { useUserChange } from './use-user-change.ts';

type Open = { readonly dialog: 'add' } | { readonly dialog: 'send' | 'stopAuth' | 'remove'; readonly channel: Channel };

/** The email addresses of a user, and what an owner does with them. */
export function ChannelsPanel({ user }: { readonly user: User }) {
  const query = useQuery(channelsQuery(useProject(), user));
  const { failure, run, apply } = useUserChange();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  return (
    <Panel
      title={channelWords.title}
      actions={
        <ChangeButton size="sm" variant="secondary" onClick={() => setOpen({ dialog: 'add' })}>
          <MailPlus aria-hidden size={16} />
          {channelWords.add}
        </ChangeButton>
      }
    >
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <PanelList query={query} itemKey={channel => channel.id} empty={detailWords.noChannels}>
        {channel => (
          <>
            <span className="tss:grid tss:min-w-0 tss:flex-auto tss:basis-40 tss:gap-1">
              <span dir="ltr" className="tss:wrap-anywhere">
                {channel.value}
              </span>
              <span className="tss:flex tss:flex-wrap tss:gap-1">
                {channel.isPrimary && <Badge>{detailWords.primary}</Badge>}
                {channel.usedForAuth && <Badge>{detailWords.usedForSignIn}</Badge>}
                <Badge tone={channel.isVerified ? 'primary' : 'neutral'}>
                  {channel.isVerified ? words.verified : words.unverified}
                </Badge>
              </span>
            </span>
            <ChannelMenu channel={channel} run={run} onOpen={dialog => setOpen({ dialog, channel })} />
          </>
        )}
      </PanelList>
      {open?.dialog === 'add' && <AddChannel user={user} apply={apply} onClose={close} />}
      {open?.dialog === 'send' && <SendVerification channel={open.channel} apply={apply} onClose={close} />}
      {open?.dialog === 'stopAuth' && (
        <ConfirmDialog
          title={channelWords.stopAuthTitle(open.channel.value)}
          confirmLabel={channelWords.stopAuth}
          onConfirm={() =>
            apply(() => open.channel.update({ usedForAuth: false }), channelWords.stopped(open.channel.value))
          }
          onClose={close}
        >
          <p>{channelWords.stopAuthText}</p>
        </ConfirmDialog>
      )}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={channelWords.removeTitle(open.channel.value)}
          confirmLabel={channelWords.remove}
          onConfirm={() => apply(() => open.channel.delete(), channelWords.removed(open.channel.value))}
          onClose={close}
        >
          <p>{channelWords.removeText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
