import type { CurrentUser } from '@tessera/client';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { useAttempt } from '../../../../form/use-attempt.tsx';
import { useLoad } from '../../../../hooks/use-load.ts';
import { useOnce } from '../../../../hooks/use-once.ts';
import { lazyPart } from '../../../../lazy/lazy-part.tsx';
import { useDates } from '../../../../words/dates.ts';
import { useTranslate } from '../../../../words/translate.tsx';
import { isMissing } from '../../missing.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Hint, Loaded, Section } from '../../parts/parts.tsx';

const loadDialog = () => import('../../../../lazy/settings-dialogs.ts').then(module => module.NewRecoveryCodes);

const NewRecoveryCodes = lazyPart(loadDialog, () => null);

/** From this number on the page suggests new codes. */
const fewCodes = 3;

interface RecoveryCodesProps {
  user: CurrentUser;
  projectName: string;
  /** Creates codes when the section opens, without a click. */
  createsAtOnce: boolean;
}

/** The recovery codes of a user with two-step verification: how many are left, and new ones. */
export function RecoveryCodesSection({ user, projectName, createsAtOnce }: RecoveryCodesProps) {
  const translate = useTranslate();
  const dates = useDates();
  const { attempt, failure } = useAttempt();
  const status = useLoad(() => user.getRecoveryCodeStatus());
  const [codes, setCodes] = useState<readonly string[]>();

  // A status that was read before the codes were created, and arrives after them, would replace theirs.
  const isRead = status.value !== undefined || status.error !== undefined;
  useOnce(createsAtOnce && isRead, () => void attempt(create));

  async function create() {
    // First: new codes replace the earlier ones, and are lost when the dialog cannot be loaded.
    await loadDialog();
    const created = await user.createRecoveryCodes();
    status.change(() => ({ remaining: created.length, createdAt: new Date() }));
    setCodes(created);
  }

  // A server without this extension.
  if (isMissing(status.error)) return null;

  return (
    <Section title={translate('recovery.title')} text={translate('recovery.text')}>
      <Loaded reading={status}>
        {({ remaining, createdAt }) =>
          createdAt === null ? (
            <Button variant="secondary" onClick={async () => void (await attempt(create))}>
              {translate('recovery.create')}
            </Button>
          ) : (
            <>
              <Hint>
                {translate('recovery.left', { count: remaining, date: dates.day(createdAt) })}
                {remaining <= fewCodes && ` ${translate('recovery.few')}`}
              </Hint>
              <ConfirmButton
                text={translate('recovery.replace')}
                question={translate('recovery.replaceTitle')}
                consequence={translate('recovery.replaceText')}
                act={create}
              />
            </>
          )
        }
      </Loaded>
      {failure}
      {codes && <NewRecoveryCodes codes={codes} projectName={projectName} close={() => setCodes(undefined)} />}
    </Section>
  );
}
