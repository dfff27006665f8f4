import type { Team, TeamManagement, TeamMember } from '@tessera/client';
import { Badge, Button, Select } from '@tessera/ui';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useSavedAtOnce } from '../../../form/use-saved-at-once.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { AvatarPicture } from '../../user-button/user-avatar.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Hint, Loaded, Row, Rows, Section } from '../parts/parts.tsx';
import { assignableRoles, roleName } from './role-names.ts';
import type { TeamRights } from './team-rights.ts';
import { memberName, type TeamMembersLoad } from './use-members.ts';

interface RoleMembersProps {
  team: Team;
  management: TeamManagement;
  /** Id of the signed-in user. */
  userId: string;
  members: TeamMembersLoad;
  rights: TeamRights;
}

/** The members of a team with their roles. */
export function RoleMembers({ team, management, userId, members, rights }: RoleMembersProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  return (
    <Section title={translate('team.members')}>
      <Loaded reading={members}>
        {({ items, nextCursor, roles }) => {
          const assignable = assignableRoles(roles).map(({ id }) => id);
          return (
            <>
              <Rows label={translate('team.members')}>
                {items.map(member => (
                  <MemberRow
                    key={member.userId}
                    team={team}
                    management={management}
                    member={member}
                    isSelf={member.userId === userId}
                    assignable={rights.mayInvite && rights.mayRemove ? assignable : []}
                    mayRemove={rights.mayRemove}
                    changed={members.reload}
                  />
                ))}
              </Rows>
              {failure}
              {nextCursor !== null && (
                <Button variant="secondary" onClick={async () => void (await attempt(() => members.more(nextCursor)))}>
                  {translate('action.more')}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface MemberRowProps {
  team: Team;
  management: TeamManagement;
  member: TeamMember;
  isSelf: boolean;
  /** Ids of the roles that the signed-in user can give. */
  assignable: readonly string[];
  mayRemove: boolean;
  changed: TeamMembersLoad['reload'];
}

function MemberRow({ team, management, member, isSelf, assignable, mayRemove, changed }: MemberRowProps) {
  const translate = useTranslate();
  const { userId, roleIds, displayName, primaryEmail } = member;
  const known = memberName(member);
  const name = known ?? translate('team.noName');
  const mayChange = !isSelf && assignable.length > 0 && roleIds.every(id => assignable.includes(id));

  const role = useSavedAtOnce(roleIds[0] ?? '', async id => {
    await management.changeMemberRole(userId, id);
    await changed(items => items.map(item => (item.userId === userId ? { ...item, roleIds: [id] } : item)));
  });

  return (
    <Row
      actions={
        <>
          {mayChange && (
            <Select
              aria-label={translate('team.roleOf', { name })}
              className="tss:w-auto!"
              value={role.value}
              onChange={event => void role.choose(event.target.value)}
            >
              {role.value === '' && <option value="">{translate('role.none')}</option>}
              {assignable.map(id => (
                <option key={id} value={id}>
                  {roleName(id, translate)}
                </option>
              ))}
            </Select>
          )}
          {mayRemove && !isSelf && (
            <ConfirmButton
              size="sm"
              text={translate('action.remove')}
              aria-label={translate('team.removeOf', { name })}
              question={translate('team.removeTitle', { name })}
              consequence={translate('team.removeText', { name, team: team.displayName })}
              act={async () => {
                await management.removeMember(userId);
                await changed(items => items.filter(item => item.userId !== userId));
              }}
            />
          )}
        </>
      }
    >
      <div className="tss:flex tss:min-w-0 tss:items-center tss:gap-3">
        <AvatarPicture user={member} />
        <div className="tss:grid tss:min-w-0 tss:gap-0.5">
          <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-x-2 tss:gap-y-1">
            <bdi className={known ? 'tss:wrap-anywhere' : 'tss:text-muted-foreground'}>{name}</bdi>
            {isSelf && <Badge>{translate('team.you')}</Badge>}
            {!mayChange && roleIds.map(id => <Badge key={id}>{roleName(id, translate)}</Badge>)}
          </div>
          {displayName && primaryEmail && (
            <Hint>
              <bdi className="tss:wrap-anywhere">{primaryEmail}</bdi>
            </Hint>
          )}
        </div>
      </div>
      {role.failure}
    </Row>
  );
}
