import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@tessera/ui';
import { BadgeCheck, BadgeX, KeyRound, Send, Star, Trash2 } from 'lucide-react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import type { Channel } from '../queries.ts';
import { words } from '../words.ts';
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
        <ChangeButton variant="quiet" size="sm" aria-label={words.channels.actions(value)}>
          {words.channels.actionsShort}
        </ChangeButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {!isPrimary && (
          <DropdownMenuItem onSelect={change({ isPrimary: true }, words.channels.primaryNow(value))}>
            <Star aria-hidden />
            {words.channels.makePrimary}
          </DropdownMenuItem>
        )}
        {isVerified ? (
          <DropdownMenuItem onSelect={change({ isVerified: false }, words.channels.unverifiedNow(value))}>
            <BadgeX aria-hidden />
            {words.channels.markUnverified}
          </DropdownMenuItem>
        ) : (
          <>
            <DropdownMenuItem onSelect={change({ isVerified: true }, words.channels.verifiedNow(value))}>
              <BadgeCheck aria-hidden />
              {words.channels.markVerified}
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={() => onOpen('send')}>
              <Send aria-hidden />
              {words.channels.send}
            </DropdownMenuItem>
          </>
        )}
        {usedForAuth ? (
          <DropdownMenuItem onSelect={() => onOpen('stopAuth')}>
            <KeyRound aria-hidden />
            {words.channels.stopAuth}
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem onSelect={change({ usedForAuth: true }, words.channels.usedNow(value))}>
            <KeyRound aria-hidden />
            {words.channels.useForAuth}
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => onOpen('remove')}>
          <Trash2 aria-hidden />
          {words.channels.remove}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
