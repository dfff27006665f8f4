import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@tessera/ui';
import { BadgeCheck, BadgeX, ChevronDown, KeyRound, Send, Star, Trash2 } from 'lucide-react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import type { Channel } from '../queries.ts';
import { channelWords } from './channel-words.ts';
import type { UserChange } from './use-user-change.ts';

interface ChannelMenuProps {
  readonly channel: Channel;
  readonly run: UserChange['run'];
  /** Opens the dialog of an action that asks first. */
  readonly onOpen: (dialog: 'send' | 'stopAuth' | 'remove') => void;
}

/** What can be done with an address. Only what changes something is offered. */
export function ChannelMenu({ channel, run, onOpen }: ChannelMenuProps) {
  const { value, isPrimary, isVerified, usedForAuth } = channel;
  const change = (changes: Parameters<Channel['update']>[0], done: string) => () =>
    void run(() => channel.update(changes), done);

  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <ChangeButton variant="secondary" size="sm" aria-label={channelWords.actions(value)}>
          {channelWords.actionsShort}
          <ChevronDown aria-hidden size={16} />
        </ChangeButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {!isPrimary && (
          <DropdownMenuItem onSelect={change({ isPrimary: true }, channelWords.primaryNow(value))}>
            <Star aria-hidden />
            {channelWords.makePrimary}
          </DropdownMenuItem>
        )}
        {isVerified ? (
          <DropdownMenuItem onSelect={change({ isVerified: false }, channelWords.unverifiedNow(value))}>
            <BadgeX aria-hidden />
            {channelWords.markUnverified}
          </DropdownMenuItem>
        ) : (
          <>
            <DropdownMenuItem onSelect={change({ isVerified: true }, channelWords.verifiedNow(value))}>
              <BadgeCheck aria-hidden />
              {channelWords.markVerified}
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => onOpen('send')}>
              <Send aria-hidden />
              {channelWords.send}
            </DropdownMenuItem>
          </>
        )}
        {usedForAuth ? (
          <DropdownMenuItem onSelect={() => onOpen('stopAuth')}>
            <KeyRound aria-hidden />
            {channelWords.stopAuth}
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem onSelect={change({ usedForAuth: true }, channelWords.usedNow(value))}>
            <KeyRound aria-hidden />
            {channelWords.useForAuth}
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => onOpen('remove')}>
          <Trash2 aria-hidden />
          {channelWords.remove}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
