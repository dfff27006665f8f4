import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useTranslate } from '../../words/translate.tsx';
import { registrationWords } from '../account-settings/auth/passkeys/passkey-words.ts';
import { ActionCard } from '../cards/action-card.tsx';
import { useFocusedTitle } from '../codes/code-link.tsx';
import { dismissedOffer } from './passkey-offer-rule.ts';

/** Offers a passkey to a user who has just signed in. `done` leaves the page. */
export function PasskeyOffer({ done }: { done: () => void }) {
  const app = useApp();
  const translate = useTranslate();
  const title = useFocusedTitle(true);
  const [problem, setProblem] = useState<string>();

  async function create() {
    setProblem(undefined);
    try {
      const user = await app.getUser({ or: 'throw' });
      const result = await user.registerPasskey();
      if (result.status === 'ok') return done();
      setProblem(registrationWords(result.error, translate));
    } catch (error) {
      setProblem(registrationWords(error, translate));
    }
  }

  function dismiss() {
    dismissedOffer(app.projectId).write('dismissed');
    done();
  }

  return (
    <ActionCard
      title={translate('passkeyOffer.title')}
      titleRef={title}
      actions={[
        { text: translate('passkeyOffer.create'), go: create },
        { text: translate('action.notNow'), go: dismiss },
      ]}
    >
      <p className="tss:text-pretty">{translate('passkey.notSet')}</p>
      {problem !== undefined && (
        <p role="alert" className="tss:text-pretty tss:text-destructive">
          {problem}
        </p>
      )}
    </ActionCard>
  );
}
