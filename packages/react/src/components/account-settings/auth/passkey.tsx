import { Button, FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { useActionGuard } from '../../../form/action-guard.ts';
import { errorWords } from '../../../words/error-words.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Hint, Section } from '../parts.tsx';
import type { AuthSectionProps } from './auth.tsx';
import { hasVerifiedSignInAddress, isOnlyWay } from './methods.ts';

/** Adds passkeys, and deletes all of them. */
export function PasskeySection({ user, channels }: AuthSectionProps) {
  const translate = useTranslate();
  const { add, problem, note } = useAdding(user);
  const hasOne = user.passkeyAuthEnabled;
  const isOnly = hasOne && isOnlyWay(user, 'passkey');
  const mayAdd = hasOne || hasVerifiedSignInAddress(channels);

  return (
    <Section title={translate('passkey.title')} text={translate(hasOne ? 'passkey.isSet' : 'passkey.notSet')}>
      {!mayAdd && <Hint>{translate('access.needsVerified')}</Hint>}
      {isOnly && <Hint>{translate('access.only')}</Hint>}
      {mayAdd && (
        <div className="tss:flex tss:flex-wrap tss:gap-3">
          <Button variant="secondary" onClick={add}>
            {translate(hasOne ? 'passkey.addMore' : 'passkey.add')}
          </Button>
          {hasOne && !isOnly && (
            <ConfirmButton
              text={translate('passkey.delete')}
              question={translate('passkey.deleteTitle')}
              consequence={translate('passkey.deleteText')}
              act={() => user.update({ passkeyAuthEnabled: false })}
            />
          )}
        </div>
      )}
      <p role="status" className="tss:text-sm tss:empty:hidden">
        {note}
      </p>
      {problem !== undefined && <FormSummary title={problem} />}
    </Section>
  );
}

function useAdding(user: AuthSectionProps['user']) {
  const translate = useTranslate();
  const guard = useActionGuard();
  const [problem, setProblem] = useState<string>();
  const [note, setNote] = useState('');

  async function add() {
    setProblem(undefined);
    setNote('');
    try {
      const result = await guard(() => user.registerPasskey());
      if (result.status === 'error') setProblem(errorWords(result.error, translate));
      else setNote(translate('passkey.added'));
    } catch (error) {
      setProblem(errorWords(error, translate));
    }
  }

  return { add, problem, note };
}
