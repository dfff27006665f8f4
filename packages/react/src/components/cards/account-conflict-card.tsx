import { providerLook } from '@tessera/ui';
import { emailDraft } from '../../form/email-draft.ts';
import { useApp } from '../../hooks/hooks.ts';
import { useTranslate } from '../../words/translate.tsx';
import { connectAddress } from '../account-settings/auth/connect-address.ts';
import { withReturnTo } from '../navigation/return-address.ts';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import type { AccountConflict } from './account-conflict.ts';
import { ActionCard } from './action-card.tsx';
import { useNextActions } from './predefined-cards.tsx';

/** Leads to the sign-in of the existing account, and from there to the question whether to connect the provider. */
export function AccountConflictCard({ conflict }: { conflict: AccountConflict }) {
  const app = useApp();
  const translate = useTranslate();
  const goTo = useNavigateTo();
  const { home } = useNextActions();
  const { provider, email, methods } = conflict;
  const name = provider === undefined ? undefined : providerLook(provider).name;

  function signIn() {
    emailDraft(app.projectId).write(email);
    const returnTo = provider === undefined ? null : connectAddress(app.urls.accountSettings, provider);
    goTo(withReturnTo(app.urls.signIn, returnTo));
  }

  return (
    <ActionCard
      title={translate('accountConflict.title')}
      actions={[{ text: translate('action.signIn'), go: signIn }, home]}
    >
      <p className="tss:text-pretty tss:wrap-anywhere">
        {name === undefined
          ? translate('accountConflict.text', { email })
          : translate('accountConflict.textProvider', { email, name })}
      </p>
      {methods.length > 0 && (
        <p className="tss:text-pretty">{translate('accountConflict.methods', { methods: methods.join(', ') })}</p>
      )}
    </ActionCard>
  );
}
