import type { AccountDeletion, CurrentUser } from '@tessera/client';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useDates } from '../../words/dates.ts';
import { useTranslate } from '../../words/translate.tsx';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import { isMissing } from './missing.ts';
import { ConfirmButton } from './parts/confirm-button.tsx';
import { Hint, Loaded, Section } from './parts/parts.tsx';

interface DeleteAccountProps {
  user: CurrentUser;
  /** Undefined: the account is deleted at once. */
  coolingOffDays: number | undefined;
}

const dayMs = 86_400_000;

/** Deletes the account, or leads to the page that keeps one that is going to be deleted. */
export function DeleteAccount({ user, coolingOffDays }: DeleteAccountProps) {
  const deletion = useLoad(() => readDeletion(user));

  return (
    <Loaded reading={deletion}>
      {({ deletesAt, teamsWithoutSuccessor, request }) =>
        deletesAt === null ? (
          <Deletion coolingOffDays={coolingOffDays} teams={teamsWithoutSuccessor} request={request} />
        ) : (
          <Scheduled deletesAt={deletesAt} />
        )
      }
    </Loaded>
  );
}

/** A server of another product deletes at once. */
async function readDeletion(user: CurrentUser): Promise<AccountDeletion & Pick<DeletionProps, 'request'>> {
  try {
    return { ...(await user.getAccountDeletion()), request: () => user.requestDeletion() };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { deletesAt: null, teamsWithoutSuccessor: [], request: () => user.delete().then(() => null) };
  }
}

interface DeletionProps extends Pick<DeleteAccountProps, 'coolingOffDays'> {
  teams: AccountDeletion['teamsWithoutSuccessor'];
  request: () => Promise<Date | null>;
}

function Deletion({ coolingOffDays, teams, request }: DeletionProps) {
  const { urls } = useApp();
  const translate = useTranslate();
  const dates = useDates();
  const goTo = useNavigateTo();
  const [openedAt] = useState(Date.now);
  const consequence =
    coolingOffDays === undefined
      ? translate('account.deleteText')
      : translate('account.deleteLater', { date: dates.day(new Date(openedAt + coolingOffDays * dayMs)) });

  async function remove() {
    const deletesAt = await request();
    goTo(deletesAt === null ? `${urls.accountDeletion}#deleted` : urls.accountDeletion);
  }

  return (
    <Section title={translate('account.delete')}>
      {teams.length > 0 ? (
        <TeamsFirst teams={teams} />
      ) : (
        <>
          <Hint>{consequence}</Hint>
          <ConfirmButton
            variant="destructive"
            text={translate('account.delete')}
            question={translate('account.deleteTitle')}
            consequence={consequence}
            act={remove}
          />
        </>
      )}
    </Section>
  );
}

/** The page of a team asks the last administrator for a successor. */
function TeamsFirst({ teams }: { teams: AccountDeletion['teamsWithoutSuccessor'] }) {
  const translate = useTranslate();

  return (
    <>
      <Hint>{translate('account.teamsFirst')}</Hint>
      <ul className="tss:grid tss:gap-1">
        {teams.map(({ id, displayName }) => (
          <li key={id}>
            <a href={`#team-${id}`} className="tss:inline-block tss:py-2 tss:underline tss:wrap-anywhere">
              {displayName}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The page about it keeps the account. */
function Scheduled({ deletesAt }: { deletesAt: Date }) {
  const { urls } = useApp();
  const translate = useTranslate();
  const dates = useDates();
  const goTo = useNavigateTo();

  return (
    <Section title={translate('deletion.title', { date: dates.day(deletesAt) })} text={translate('deletion.text')}>
      <Button onClick={() => goTo(urls.accountDeletion)}>{translate('deletion.keep')}</Button>
    </Section>
  );
}
