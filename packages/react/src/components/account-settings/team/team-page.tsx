import type { CurrentUser, ProjectConfig, Team } from '@tessera/client';
import { useState } from 'react';
import { useRead } from '../../../hooks/use-read.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { ApiKeys } from '../api-keys/api-keys.tsx';
import { isMissing } from '../missing.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Loaded, Section } from '../parts/parts.tsx';
import { EditableText } from '../profile/editable-text.tsx';
import { ImageEditor } from '../profile/image-editor.tsx';
import { Invitations, InviteForm, RoleInvitations } from './invitations.tsx';
import { LeaveTeam } from './leave-team.tsx';
import { Members } from './members.tsx';
import { RoleMembers } from './role-members.tsx';
import { assignableRoles } from './role-names.ts';
import { TeamIcon } from './team-icon.tsx';
import { type TeamRights, teamRights } from './team-rights.ts';
import { useMembers } from './use-members.ts';

interface TeamPageProps {
  user: CurrentUser;
  team: Team;
  config: ProjectConfig;
}

/** The page of a team, as far as the member's permissions allow. */
export function TeamPage({ user, team, config }: TeamPageProps) {
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
          const sections = { user, team, rights };
          return rights.seesRoles ? <WithRoles {...sections} /> : <WithoutRoles {...sections} />;
        }}
      </Loaded>
    </>
  );
}

interface SectionsProps extends Pick<TeamPageProps, 'user' | 'team'> {
  rights: TeamRights;
}

/** The sections of a member who sees the other members. */
function WithRoles({ user, team, rights }: SectionsProps) {
  const management = user.manageTeam(team);
  const members = useMembers(management);
  const [sentCount, setSentCount] = useState(0);
  // A server without this extension.
  if (isMissing(members.error)) return <WithoutRoles user={user} team={team} rights={rights} />;

  const { items = [], nextCursor = null, roles = [], needsSuccessor = false } = members.value ?? {};
  // The form asks for a role as soon as the roles are known, and not in the middle of typing.
  const isSettled = members.value !== undefined || members.error !== undefined;
  const others = items.filter(({ userId }) => userId !== user.id);

  async function leave(successorUserId: string | undefined) {
    await management.removeMember(user.id, { ...(successorUserId !== undefined && { successorUserId }) });
    closePage();
  }

  return (
    <>
      {rights.mayUpdate && <TeamFields team={team} />}
      <RoleMembers team={team} management={management} userId={user.id} members={members} rights={rights} />
      {rights.mayInvite && isSettled && (
        <InviteForm
          roles={assignableRoles(roles)}
          invite={invitation => management.inviteMember(invitation)}
          sent={() => setSentCount(sentCount + 1)}
        />
      )}
      {rights.seesInvitations && (
        <RoleInvitations key={sentCount} management={management} mayRevoke={rights.mayRemove} />
      )}
      {rights.hasApiKeys && <TeamApiKeys team={team} />}
      <LeaveTeam
        team={team}
        successors={needsSuccessor ? others : []}
        isOnlyMember={members.value !== undefined && others.length === 0 && nextCursor === null}
        leave={leave}
      />
      {rights.mayDelete && <DeleteTeam team={team} />}
    </>
  );
}

/** The sections of a member who does not see the others, and on a server without roles. */
function WithoutRoles({ user, team, rights }: SectionsProps) {
  async function leave() {
    await user.leaveTeam(team);
    closePage();
  }

  return (
    <>
      {rights.mayUpdate && <TeamFields team={team} />}
      {rights.seesMembers && <Members team={team} />}
      {rights.mayInvite && <InviteForm invite={invitation => team.inviteUser(invitation)} />}
      {rights.seesInvitations && <Invitations team={team} mayRevoke={rights.mayRemove} />}
      {rights.hasApiKeys && <TeamApiKeys team={team} />}
      <LeaveTeam team={team} successors={[]} isOnlyMember={false} leave={leave} />
      {rights.mayDelete && <DeleteTeam team={team} />}
    </>
  );
}

function closePage() {
  window.location.hash = '';
}

function DeleteTeam({ team }: Pick<TeamPageProps, 'team'>) {
  const translate = useTranslate();
  const name = { team: team.displayName };

  return (
    <Section title={translate('team.delete')} text={translate('team.deleteText', name)}>
      <ConfirmButton
        variant="destructive"
        text={translate('team.delete')}
        question={translate('team.deleteTitle', name)}
        consequence={translate('team.deleteText', name)}
        mustTick={translate('keys.understand')}
        act={async () => {
          await team.delete();
          closePage();
        }}
      />
    </Section>
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
