import type { CurrentUser } from '@tessera/client';
import {
  Button,
  Check,
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
  Plus,
  Settings,
  Skeleton,
} from '@tessera/ui';
import { type ReactNode, useEffect } from 'react';
import type { Team } from '../../hooks/hooked-types.ts';
import { useApp } from '../../hooks/hooks.ts';
import { useProjectState, useUserState } from '../../hooks/read-state.ts';
import type { ReadState } from '../../hooks/reader.ts';
import { useRead } from '../../hooks/use-read.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { TeamIcon } from '../account-settings/team/team-icon.tsx';
import { PartSurface } from '../cards/surface.tsx';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import { FailedItems } from '../user-button/menu-items.tsx';

/** The fields of a team that the menu shows. */
export type SwitcherTeam = Pick<Team, 'id' | 'displayName' | 'profileImageUrl'>;

/** Props of `SelectedTeamSwitcher`. The callbacks get null only with `allowNull`. */
export type SelectedTeamSwitcherProps = WithoutNull | WithNull;

interface WithoutNull extends SwitcherOptions, SwitcherCallbacks<Team> {
  /** Offers to work without a team. */
  allowNull?: false | undefined;
}

interface WithNull extends SwitcherOptions, SwitcherCallbacks<Team | null> {
  /** Offers to work without a team. */
  allowNull: boolean;
}

/** Overloads, because TypeScript does not infer the parameter of a callback from a union when both members match. */
export interface SelectedTeamSwitcherComponent {
  (props: WithoutNull): ReactNode;
  (props: WithNull): ReactNode;
  (props: SelectedTeamSwitcherProps): ReactNode;
}

interface SwitcherCallbacks<Choice> {
  /** The URL to go to after a change. */
  urlMap?: ((team: Choice) => string) | undefined;
  onChange?: ((team: Choice) => void) | undefined;
}

interface SwitcherOptions {
  /** The selected team when the user has none. It is then stored as the user's selection. */
  selectedTeam?: SwitcherTeam | undefined;
  /** Does not change the stored selection of the user. */
  noUpdateSelectedTeam?: boolean | undefined;
  /** The label of the item without a team. */
  nullLabel?: string | undefined;
  /** For demonstrations: replaces the user. */
  mockUser?: { readonly selectedTeam?: SwitcherTeam | undefined } | undefined;
  /** For demonstrations. */
  mockTeams?: readonly SwitcherTeam[] | undefined;
  /** For demonstrations. */
  mockProject?: { readonly config: { readonly clientTeamCreationEnabled: boolean } } | undefined;
}

interface SwitcherProps extends SwitcherOptions, SwitcherCallbacks<SwitcherTeam | null> {
  allowNull?: boolean | undefined;
}

/** A menu of the user's teams, one of which is selected. */
export function SelectedTeamSwitcher(props: SelectedTeamSwitcherProps) {
  return (
    <PartSurface className="tessera-team-switcher">
      {/* TypeScript does not see that only the item of `allowNull` calls back with null, and only a demonstration with
          less than a team. */}
      <Switcher {...(props as SwitcherProps)} />
    </PartSurface>
  );
}

function Switcher(props: SwitcherProps) {
  const user = useUserState();
  if (props.mockUser)
    return <TeamMenu {...props} teams={props.mockTeams ?? []} current={props.mockUser.selectedTeam} />;
  if (user.value === undefined && user.error === undefined) return <MenuSkeleton />;
  if (user.value) return <TeamsOf {...props} user={user.value} />;
  return <TeamMenu {...props} teams={[]} reading={user} current={undefined} />;
}

function MenuSkeleton() {
  return <Skeleton className="tss:h-11 tss:w-56" />;
}

function TeamsOf({ user, ...props }: SwitcherProps & { user: CurrentUser }) {
  const { selectedTeam, noUpdateSelectedTeam = false } = props;
  const teams = useRead(user, 'listTeams');
  const givenId = selectedTeam?.id;
  const storedId = user.selectedTeam?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per given team, not again when another is stored
  useEffect(() => {
    if (givenId === undefined || noUpdateSelectedTeam || givenId === storedId) return;
    // The user did not click, so a failure is not shown; the next visit tries again.
    user.update({ selectedTeamId: givenId }).catch(() => {});
  }, [givenId, noUpdateSelectedTeam]);

  if (teams.value === undefined && teams.error === undefined) return <MenuSkeleton />;
  return (
    <TeamMenu
      {...props}
      teams={teams.value ?? []}
      reading={teams}
      current={user.selectedTeam ?? selectedTeam}
      select={id => user.update({ selectedTeamId: id })}
    />
  );
}

interface TeamMenuProps extends SwitcherProps {
  teams: readonly SwitcherTeam[];
  /** What the teams come from. Default: they are given. */
  reading?: ReadState<unknown>;
  current: SwitcherTeam | undefined;
  select?: (id: string | null) => Promise<void>;
}

function TeamMenu({ teams, reading, current, select, ...props }: TeamMenuProps) {
  const { allowNull = false, noUpdateSelectedTeam = false, urlMap, onChange, mockProject } = props;
  const { urls } = useApp();
  const translate = useTranslate();
  const goTo = useNavigateTo();
  const project = useProjectState();
  const config = mockProject?.config ?? project.value?.config;
  const others = teams.filter(({ id }) => id !== current?.id);
  const noTeam = props.nullLabel ?? translate('switcher.none');

  async function choose(team: SwitcherTeam | null) {
    try {
      onChange?.(team);
      if (!noUpdateSelectedTeam) await select?.(team?.id ?? null);
      if (urlMap) goTo(urlMap(team));
    } catch (error) {
      // The menu is closed, so there is no place to show it.
      window.alert(errorWords(error, translate));
    }
  }

  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button
          variant="secondary"
          className="tss:max-w-full"
          aria-label={translate('switcher.label', { name: current?.displayName ?? noTeam })}
        >
          {current && <TeamIcon team={current} />}
          <bdi className="tss:min-w-0 tss:truncate">{current?.displayName ?? noTeam}</bdi>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        {current && (
          <DropdownMenuGroup>
            <DropdownMenuLabel className={labelClass}>{translate('switcher.current')}</DropdownMenuLabel>
            <DropdownMenuItem onSelect={() => goTo(`${urls.accountSettings}#team-${current.id}`)}>
              <TeamIcon team={current} />
              <TeamName>{current.displayName}</TeamName>
              <Settings aria-label={translate('switcher.settings')} className="tss:ms-auto" />
            </DropdownMenuItem>
          </DropdownMenuGroup>
        )}
        {allowNull && (
          <DropdownMenuItem onSelect={() => void choose(null)}>
            {noTeam}
            {!current && <Check className="tss:ms-auto" />}
          </DropdownMenuItem>
        )}
        {reading?.value === undefined && reading?.error !== undefined ? (
          <FailedItems {...reading} />
        ) : others.length > 0 ? (
          <DropdownMenuGroup>
            <DropdownMenuLabel className={labelClass}>{translate('switcher.others')}</DropdownMenuLabel>
            {others.map(team => (
              <DropdownMenuItem key={team.id} onSelect={() => void choose(team)}>
                <TeamIcon team={team} />
                <TeamName>{team.displayName}</TeamName>
              </DropdownMenuItem>
            ))}
          </DropdownMenuGroup>
        ) : (
          !current && <DropdownMenuLabel className={labelClass}>{translate('switcher.empty')}</DropdownMenuLabel>
        )}
        {config?.clientTeamCreationEnabled && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem onSelect={() => goTo(`${urls.accountSettings}#team-creation`)}>
              <Plus />
              {translate('team.create')}
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

const labelClass = 'tss:text-muted-foreground';

function TeamName({ children }: { children: ReactNode }) {
  return <bdi className="tss:min-w-0 tss:truncate">{children}</bdi>;
}
