import type { CurrentUser, Project, ProjectConfig, Team } from '@tessera/client';
import type { ReactNode } from 'react';

/** A built-in section, as in the hash of the URL. */
export type OwnSection = 'profile' | 'auth' | 'notifications' | 'sessions' | 'api-keys' | 'settings';

/** A section of the host app. */
export interface ExtraItem {
  /** The hash of its URL, without `#`. */
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
  readonly icon?: ReactNode;
  /** Instead of `icon`, the name of one of our icons, such as `KeyRound`. Default: `Settings`. */
  readonly iconName?: string | undefined;
}

/** The data that the sections read. */
export interface SettingsProps {
  user: CurrentUser;
  project: Project;
  extraItems: readonly ExtraItem[];
  isDemo: boolean;
}

/** A row of the sidebar. */
export type SettingsItem =
  | { readonly id: OwnSection; readonly is: 'own' }
  | { readonly id: string; readonly is: 'extra'; readonly index: number }
  | { readonly id: `team-${string}`; readonly is: 'team'; readonly team: Team }
  | { readonly id: 'team-creation'; readonly is: 'team-creation' };

interface Situation {
  readonly config: Pick<ProjectConfig, 'allowUserApiKeys' | 'clientTeamCreationEnabled'>;
  readonly teams: readonly Team[];
  /** Ids of the sections of the host app. */
  readonly extraIds: readonly string[];
}

/** The rows of the sidebar, in order (docs/contract/handler-pages.md#account-settings). */
export function settingsItems({ config, teams, extraIds }: Situation): readonly SettingsItem[] {
  const own: OwnSection[] = ['profile', 'auth', 'notifications', 'sessions'];
  if (config.allowUserApiKeys) own.push('api-keys');
  own.push('settings');

  return [
    ...own.map(id => ({ id, is: 'own' as const })),
    ...extraIds.map((id, index) => ({ id, is: 'extra' as const, index })),
    ...teams.map(team => ({ id: `team-${team.id}` as const, is: 'team' as const, team })),
    ...(config.clientTeamCreationEnabled ? [{ id: 'team-creation', is: 'team-creation' } as const] : []),
  ];
}

/** The item that the hash names: one of the items, none, or one that does not exist. */
export function itemAt(hash: string, items: readonly SettingsItem[]): SettingsItem | undefined {
  const id = hash.replace(/^#/, '');
  // Browsers encode spaces and letters outside of ASCII.
  return items.find(item => item.id === id || encodeURI(item.id) === id);
}
