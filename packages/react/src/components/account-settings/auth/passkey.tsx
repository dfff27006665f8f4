import { Button, FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { errorWords } from '../../../words/error-words.ts';
import { useSay } from '../../../words/say.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Hint, Section } from '../parts.tsx';
import type { AuthSectionProps } from './auth.tsx';
import { hasVerifiedSignInAddress, isOnlyWay } from './methods.ts';

/** Adding passkeys, and deleting all of them. */
export function PasskeySection({ user, channels }: AuthSectionProps) {
  const say = useSay();
  const { add, problem, note } = useAdding(user);
  const hasOne = user.passkeyAuthEnabled;
  const isOnly = hasOne && isOnlyWay(user, 'passkey');
  const mayAdd = hasOne || hasVerifiedSignInAddress(channels);

  return (
    <Section title={say('passkey.title')} text={say(hasOne ? 'passkey.isSet' : 'passkey.notSet')}>
      {!mayAdd && <Hint>{say('access.needsVerified')}</Hint>}
      {isOnly && <Hint>{say('access.only')}</Hint>}
      {mayAdd && (
        <div className="tss:flex tss:flex-wrap tss:gap-3">
          <Button variant="outline" onClick={add}>
            {say(hasOne ? 'passkey.addMore' : 'passkey.add')}
          </Button>
          {hasOne && !isOnly && (
            <ConfirmButton
              text={say('passkey.delete')}
              question={say('passkey.deleteTitle')}
              consequence={say('passkey.deleteText')}
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
  const say = useSay();
  const [problem, setProblem] = useState<string>();
  const [note, setNote] = useState('');

  async function add() {
    setProblem(undefined);
    setNote('');
    try {
      const result = await user.registerPasskey();
      if (result.status === 'error') setProblem(errorWords(result.error, say));
      else setNote(say('passkey.added'));
    } catch (error) {
      setProblem(errorWords(error, say));
    }
  }

  return { add, problem, note };
}
