import { Button, FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { errorWords } from '../../../words/error-words.ts';
import { useSay } from '../../../words/say.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Hint, Section } from '../parts.tsx';
import type { AuthSectionProps } from './auth.tsx';
import { hasVerifiedSignInAddress, isOnlyWay } from './methods.ts';

/** Adding and deleting the passkey. */
export function PasskeySection({ user, channels }: AuthSectionProps) {
  const say = useSay();
  const [problem, setProblem] = useState<string>();

  async function add() {
    setProblem(undefined);
    try {
      const result = await user.registerPasskey();
      if (result.status === 'error') setProblem(errorWords(result.error, say));
    } catch (error) {
      setProblem(errorWords(error, say));
    }
  }

  if (user.passkeyAuthEnabled) {
    return (
      <Section title={say('passkey.title')} text={say('passkey.isSet')}>
        {isOnlyWay(user, 'passkey') ? (
          <Hint>{say('access.only')}</Hint>
        ) : (
          <ConfirmButton
            text={say('passkey.delete')}
            question={say('passkey.deleteTitle')}
            consequence={say('passkey.deleteText')}
            act={() => user.update({ passkeyAuthEnabled: false })}
          />
        )}
      </Section>
    );
  }
  return (
    <Section title={say('passkey.title')} text={say('passkey.notSet')}>
      {hasVerifiedSignInAddress(channels) ? (
        <Button variant="outline" onClick={add}>
          {say('passkey.add')}
        </Button>
      ) : (
        <Hint>{say('access.needsVerified')}</Hint>
      )}
      {problem !== undefined && <FormSummary title={problem} />}
    </Section>
  );
}
