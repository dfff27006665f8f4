import type { CurrentUser, ProjectConfig, Team } from '@tessera/client';
import { useRead } from '../../../hooks/use-read.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { ApiKeys } from '../api-keys/api-keys.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Loaded, Section } from '../parts.tsx';
import { EditableText } from '../profile/editable-text.tsx';
import { ImageEditor } from '../profile/image-editor.tsx';
import { Invitations, InviteForm } from './invitations.tsx';
import { Members } from './members.tsx';
import { TeamIcon } from './team-icon.tsx';
import { teamRights } from './team-rights.ts';

interface TeamPageProps {
  user: CurrentUser;
  team: Team;
  config: ProjectConfig;
}

/** The page of a team, as far as the member's permissions allow. */
export function TeamPage({ user, team, config }: TeamPageProps) {
  const translate = useTranslate();
  const permissions = useRead(user, 'listPermissions', team);

  return (
    <>
      <OwnProfile user={user} team={team} />
      <Loaded reading={permissions}>
        {list => {
          const rights = teamRights(
            list.map(({ id }) => id),
            config,
          );
          return (
            <>
              {rights.mayUpdate && <TeamFields team={team} />}
              {rights.seesMembers && <Members team={team} />}
              {rights.mayInvite && <InviteForm team={team} />}
              {rights.seesInvitations && <Invitations team={team} mayRevoke={rights.mayRemove} />}
              {rights.hasApiKeys && <TeamApiKeys team={team} />}
            </>
          );
        }}
      </Loaded>
      <Section title={translate('team.leave')}>
        <ConfirmButton
          text={translate('team.leave')}
          question={translate('team.leaveTitle')}
          consequence={translate('team.leaveText', { team: team.displayName })}
          act={async () => {
            await user.leaveTeam(team);
            window.location.hash = '';
          }}
        />
      </Section>
    </>
  );
}

function OwnProfile({ user, team }: Pick<TeamPageProps, 'user' | 'team'>) {
  const translate = useTranslate();
  const profile = useRead(user, 'getTeamProfile', team);

  return (
    <Section title={translate('team.profile')} text={translate('team.profileHint')}>
      <Loaded reading={profile}>
        {own => (
          <EditableText
            label={translate('team.profile')}
            value={own.displayName}
            save={displayName => own.update({ displayName })}
          />
        )}
      </Loaded>
    </Section>
  );
}

function TeamFields({ team }: Pick<TeamPageProps, 'team'>) {
  const translate = useTranslate();

  return (
    <>
      <Section title={translate('team.image')}>
        <ImageEditor
          picture={<TeamIcon team={team} size={72} />}
          save={profileImageUrl => team.update({ profileImageUrl })}
        />
      </Section>
      <Section title={translate('team.name')}>
        <EditableText
          label={translate('team.name')}
          value={team.displayName}
          rule={text => (text.trim() === '' ? 'invalid.nameMissing' : undefined)}
          save={displayName => team.update({ displayName })}
        />
      </Section>
    </>
  );
}

function TeamApiKeys({ team }: Pick<TeamPageProps, 'team'>) {
  const keys = useRead(team, 'listApiKeys');
  return <ApiKeys text="keys.textTeam" keys={keys} create={options => team.createApiKey(options)} />;
}
