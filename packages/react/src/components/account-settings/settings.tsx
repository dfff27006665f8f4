import type { CurrentUser, Project } from '@tessera/client';
import { Button, saveFile } from '@tessera/ui';
import { useAttempt } from '../../form/use-attempt.tsx';
import { useTranslate } from '../../words/translate.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Section } from './parts/parts.tsx';

interface SettingsProps {
  user: CurrentUser;
  project: Project;
}

/** Signing out, the data of the user, and deleting the account. */
export function Settings({ user, project }: SettingsProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  return (
    <>
      <Section title={translate('action.signOut')} text={translate('account.signOutText')}>
        <Button variant="secondary" onClick={async () => void (await attempt(() => user.signOut()))}>
          {translate('action.signOut')}
        </Button>
        {failure}
      </Section>
      <DataExport user={user} />
      {project.config.clientUserDeletionEnabled && (
        <DeleteAccount user={user} coolingOffDays={project.deletionCoolingOffDays} />
      )}
    </>
  );
}

function DataExport({ user }: { user: CurrentUser }) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  async function download() {
    saveFile('account-data.json', [JSON.stringify(await user.exportData(), null, 2)], 'application/json');
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
