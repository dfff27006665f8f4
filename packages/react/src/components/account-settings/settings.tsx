import type { CurrentUser } from '@tessera/client';
import { Button } from '@tessera/ui';
import { useAttempt } from '../../form/use-attempt.tsx';
import { useApp } from '../../hooks/hooks.ts';
import { useTranslate } from '../../words/translate.tsx';
import { downloadText } from './auth/second-factor/save-text.ts';
import { ConfirmButton } from './parts/confirm-button.tsx';
import { Hint, Section } from './parts/parts.tsx';

interface SettingsProps {
  user: CurrentUser;
  mayDelete: boolean;
}

/** Signing out, the data of the user, and deleting the account. */
export function Settings({ user, mayDelete }: SettingsProps) {
  const app = useApp();
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  async function remove() {
    await user.delete();
    await app.redirectToHome({ replace: true });
  }

  return (
    <>
      <Section title={translate('action.signOut')} text={translate('account.signOutText')}>
        <Button variant="secondary" onClick={async () => void (await attempt(() => user.signOut()))}>
          {translate('action.signOut')}
        </Button>
        {failure}
      </Section>
      <DataExport user={user} />
      {mayDelete && (
        <Section title={translate('account.delete')}>
          <details className="tss:w-full">
            <summary className="tss:min-h-11 tss:cursor-pointer tss:py-2 tss:text-destructive tss:[list-style:inside_disclosure-closed] tss:[[open]>&]:[list-style:inside_disclosure-open]">
              {translate('account.danger')}
            </summary>
            <div className="tss:grid tss:justify-items-start tss:gap-3 tss:pt-2">
              <Hint>{translate('account.deleteText')}</Hint>
              <ConfirmButton
                variant="destructive"
                text={translate('account.delete')}
                question={translate('account.deleteTitle')}
                consequence={translate('account.deleteText')}
                act={remove}
              />
            </div>
          </details>
        </Section>
      )}
    </>
  );
}

function DataExport({ user }: { user: CurrentUser }) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  async function download() {
    downloadText('account-data.json', JSON.stringify(await user.exportData(), null, 2), 'application/json');
  }

  return (
    <Section title={translate('export.title')} text={translate('export.text')}>
      <Button variant="secondary" onClick={async () => void (await attempt(download))}>
        {translate('export.submit')}
      </Button>
      {failure}
    </Section>
  );
}
