import type { CurrentUser } from '@tessera/client';
import { Button } from '@tessera/ui';
import { useAttempt } from '../../form/use-attempt.tsx';
import { useApp } from '../../hooks/hooks.ts';
import { useSay } from '../../words/say.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Hint, Section } from './parts.tsx';

interface SettingsProps {
  user: CurrentUser;
  mayDelete: boolean;
}

/** The ways out: of the session, and of the account. */
export function Settings({ user, mayDelete }: SettingsProps) {
  const app = useApp();
  const say = useSay();
  const { attempt, failure } = useAttempt();

  async function remove() {
    await user.delete();
    await app.redirectToHome({ replace: true });
  }

  return (
    <>
      <Section title={say('action.signOut')} text={say('account.signOutText')}>
        <Button variant="outline" onClick={async () => void (await attempt(() => user.signOut()))}>
          {say('action.signOut')}
        </Button>
        {failure}
      </Section>
      {mayDelete && (
        <Section title={say('account.delete')}>
          <details className="tss:w-full">
            <summary className="tss:min-h-11 tss:cursor-pointer tss:py-2 tss:text-destructive tss:[list-style:inside_disclosure-closed] tss:[[open]>&]:[list-style:inside_disclosure-open]">
              {say('account.danger')}
            </summary>
            <div className="tss:grid tss:justify-items-start tss:gap-3 tss:pt-2">
              <Hint>{say('account.deleteText')}</Hint>
              <ConfirmButton
                variant="destructive"
                text={say('account.delete')}
                question={say('account.deleteTitle')}
                consequence={say('account.deleteText')}
                act={remove}
              />
            </div>
          </details>
        </Section>
      )}
    </>
  );
}
