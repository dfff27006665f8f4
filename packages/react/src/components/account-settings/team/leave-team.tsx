import type { Team, TeamMember } from '@tessera/client';
import { Actions, Button, Dialog, Field, Select } from '@tessera/ui';
import { useState } from 'react';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useTranslate } from '../../../words/translate.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Hint, Section } from '../parts/parts.tsx';
import { memberName } from './use-members.ts';

interface LeaveTeamProps {
  team: Team;
  /** The other members, when the signed-in user is the last administrator and must name a successor. */
  successors: readonly TeamMember[];
  isOnlyMember: boolean;
  leave: (successorUserId: string | undefined) => Promise<void>;
}

/** Leaves a team. The last administrator names a successor first. */
export function LeaveTeam({ team, successors, isOnlyMember, leave }: LeaveTeamProps) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const consequence = isOnlyMember ? 'team.leaveEmpty' : 'team.leaveText';

  return (
    <Section title={translate('team.leave')}>
      {successors.length === 0 ? (
        <ConfirmButton
          text={translate('team.leave')}
          question={translate('team.leaveTitle')}
          consequence={translate(consequence, { team: team.displayName })}
          act={() => leave(undefined)}
        />
      ) : (
        <>
          <Hint>{translate('team.lastAdmin')}</Hint>
          <Button variant="secondary" onClick={() => setOpen(true)}>
            {translate('team.leave')}
          </Button>
          {isOpen && <SuccessorDialog team={team} successors={successors} leave={leave} close={() => setOpen(false)} />}
        </>
      )}
    </Section>
  );
}

type SuccessorDialogProps = Pick<LeaveTeamProps, 'team' | 'successors' | 'leave'> & { close: () => void };

function SuccessorDialog({ team, successors, leave, close }: SuccessorDialogProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const [successor, setSuccessor] = useState('');

  return (
    <Dialog title={translate('team.leaveTitle')} onClose={close}>
      <p className="tss:text-pretty tss:wrap-anywhere tss:text-muted-foreground">
        {translate('team.successorText', { team: team.displayName })}
      </p>
      <Field label={translate('team.successor')}>
        <Select value={successor} onChange={event => setSuccessor(event.target.value)}>
          <option value="" disabled>
            {translate('team.chooseMember')}
          </option>
          {successors.map(member => (
            <option key={member.userId} value={member.userId}>
              {memberName(member) ?? translate('team.noName')}
            </option>
          ))}
        </Select>
      </Field>
      {failure}
      <Actions>
        <Button variant="secondary" className="tss:flex-auto" onClick={close}>
          {translate('action.cancel')}
        </Button>
        <Button
          variant="destructive"
          className="tss:flex-auto"
          disabled={successor === ''}
          onClick={async () => void ((await attempt(() => leave(successor))) && close())}
        >
          {translate('team.leave')}
        </Button>
      </Actions>
    </Dialog>
  );
}
