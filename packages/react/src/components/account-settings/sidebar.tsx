import type { Team } from '@tessera/client';
import {
  Bell,
  Button,
  CircleUserRound,
  classNames,
  KeyRound,
  MonitorSmartphone,
  Plus,
  Settings,
  ShieldCheck,
} from '@tessera/ui';
import type { ComponentType, ReactNode, Ref } from 'react';
import type { ReadState } from '../../hooks/reader.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { Translate, WordKey } from '../../words/words.ts';
import type { ExtraItem, OwnSection, SettingsItem } from './items.ts';
import { TeamIcon } from './team/team-icon.tsx';

interface SidebarProps {
  listRef: Ref<HTMLElement>;
  items: readonly SettingsItem[];
  current: SettingsItem | undefined;
  extraItems: readonly ExtraItem[];
  teams: ReadState<readonly Team[]>;
}

/** The list of all sections. */
export function Sidebar({ listRef, items, current, extraItems, teams }: SidebarProps) {
  const translate = useTranslate();
  const isTeam = (item: SettingsItem) => item.is === 'team' || item.is === 'team-creation';
  const rows = (some: readonly SettingsItem[]) =>
    some.map(item => <SidebarRow key={item.id} item={item} isCurrent={item === current} extraItems={extraItems} />);

  return (
    <nav
      ref={listRef}
      tabIndex={-1}
      aria-label={translate('settings.title')}
      className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-1 tss:outline-none"
    >
      <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-1">{rows(items.filter(item => !isTeam(item)))}</ul>
      {items.some(isTeam) && (
        <>
          <p className="tss:mt-3 tss:px-3 tss:text-xs tss:font-medium tss:text-muted-foreground">
            {translate('settings.teams')}
          </p>
          <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-1">{rows(items.filter(isTeam))}</ul>
        </>
      )}
      {teams.value === undefined && teams.error !== undefined && (
        <div role="alert" className="tss:grid tss:justify-items-start tss:gap-2 tss:p-3 tss:text-sm">
          {errorWords(teams.error, translate)}
          <Button variant="secondary" size="sm" onClick={teams.retry}>
            {translate('action.retry')}
          </Button>
        </div>
      )}
    </nav>
  );
}

interface SidebarRowProps extends Pick<SidebarProps, 'extraItems'> {
  item: SettingsItem;
  isCurrent: boolean;
}

function SidebarRow({ item, isCurrent, extraItems }: SidebarRowProps) {
  const translate = useTranslate();

  return (
    <li className="tss:min-w-0">
      <a
        href={`#${item.id}`}
        aria-current={isCurrent ? 'page' : undefined}
        className={classNames(
          'tessera-settings-item tss:flex tss:min-h-11 tss:items-center tss:gap-3 tss:rounded-md tss:px-3 tss:py-2 tss:text-sm',
          'tss:cursor-pointer tss:hover:bg-accent tss:hover:text-accent-foreground',
          isCurrent && 'tss:@min-[700px]:bg-accent tss:@min-[700px]:font-medium',
        )}
      >
        <ItemIcon item={item} extraItems={extraItems} />
        {/* A name of ours is shown whole; that of a team can have any length. */}
        <bdi className={classNames('tss:min-w-0', item.is === 'team' ? 'tss:truncate' : 'tss:wrap-anywhere')}>
          {itemName(item, extraItems, translate)}
        </bdi>
      </a>
    </li>
  );
}

const ownWords: Record<OwnSection, WordKey> = {
  profile: 'profile.title',
  auth: 'access.title',
  notifications: 'notifications.title',
  sessions: 'sessions.title',
  'api-keys': 'keys.title',
  settings: 'account.title',
};

const ownIcons: Record<OwnSection, ComponentType<{ className: string }>> = {
  profile: CircleUserRound,
  auth: ShieldCheck,
  notifications: Bell,
  sessions: MonitorSmartphone,
  'api-keys': KeyRound,
  settings: Settings,
};

/** The icon names that host apps can use (docs/contract/handler-pages.md#account-settings). */
const namedIcons: Readonly<Record<string, ComponentType<{ className: string }>>> = {
  Bell,
  CircleUserRound,
  KeyRound,
  MonitorSmartphone,
  Plus,
  Settings,
  ShieldCheck,
};

/** The name of a section. */
export function itemName(item: SettingsItem, extraItems: readonly ExtraItem[], translate: Translate): string {
  switch (item.is) {
    case 'own':
      return translate(ownWords[item.id]);
    case 'extra':
      return extraItems[item.index]?.title ?? item.id;
    case 'team':
      return item.team.displayName;
    case 'team-creation':
      return translate('team.create');
  }
}

function ItemIcon({ item, extraItems }: Pick<SidebarRowProps, 'item' | 'extraItems'>): ReactNode {
  const className = 'tss:size-4 tss:shrink-0 tss:text-muted-foreground';
  switch (item.is) {
    case 'own': {
      const Icon = ownIcons[item.id];
      return <Icon className={className} />;
    }
    case 'extra': {
      const { icon, iconName = 'Settings' } = extraItems[item.index] ?? {};
      if (icon !== undefined) return icon;
      const Icon = Object.hasOwn(namedIcons, iconName) ? namedIcons[iconName] : undefined;
      return Icon ? <Icon className={className} /> : <Settings className={className} />;
    }
    case 'team':
      return <TeamIcon team={item.team} size={20} />;
    case 'team-creation':
      return <Plus className={className} />;
  }
}
