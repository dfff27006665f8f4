import { FormSummary, Separator, Tabs } from '@tessera/ui';
import { useState } from 'react';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { MagicLinkForm } from '../codes/magic-link-sign-in.tsx';
import type { MailedCodeSignIn } from '../codes/use-mailed-code.ts';
import { ProviderButtons } from '../oauth/oauth-buttons.tsx';
import { PasskeySignIn } from '../passkey/passkey-button.tsx';
import { usePasskeyAutofill } from '../passkey/use-passkey-autofill.ts';
import type { AuthOffer, AuthTab, AuthType } from './auth-state.ts';
import { type AuthFormProps, CredentialSignInForm } from './credential-sign-in.tsx';
import { CredentialSignUpForm } from './credential-sign-up.tsx';
import { lastUsedMethod } from './last-used.ts';

interface AuthMethodsProps {
  type: AuthType;
  offer: AuthOffer;
  firstTab?: AuthTab | undefined;
  noPasswordRepeat?: boolean | undefined;
  isMock: boolean;
  code: MailedCodeSignIn;
  onSubmitting: (isSubmitting: boolean) => void;
}

/** The sign-in methods from top to bottom: providers, passkey, and the forms for an email address. */
export function AuthMethods({ type, offer, firstTab, noPasswordRepeat, isMock, code, onSubmitting }: AuthMethodsProps) {
  const translate = useTranslate();
  const { providers, hasPasskey, tabs } = offer;
  const [lastUsed] = useState(lastUsedMethod);
  const [passkeyProblem, setPasskeyProblem] = useState<unknown>();
  const [round, setRound] = useState(0);
  const offersPasskeys = usePasskeyAutofill({
    isOffered: hasPasskey && tabs.length > 0 && !isMock,
    round,
    onProblem: setPasskeyProblem,
  });
  const hasButtons = providers.length > 0 || hasPasskey;
  const form: AuthFormProps = { onSubmitting, offersPasskeys };

  const forms = {
    'magic-link': <MagicLinkForm {...form} send={code.send} />,
    password:
      type === 'sign-in' ? (
        <CredentialSignInForm {...form} />
      ) : (
        <CredentialSignUpForm noPasswordRepeat={noPasswordRepeat} onSubmitting={onSubmitting} />
      ),
  };
  const [only, second] = tabs;

  return (
    <>
      {passkeyProblem !== undefined && <FormSummary title={errorWords(passkeyProblem, translate)} />}
      {hasButtons && (
        <div className="tss:grid tss:gap-3">
          <ProviderButtons type={type} providers={providers} lastUsed={lastUsed} isMock={isMock} />
          {hasPasskey && (
            <PasskeySignIn isLastUsed={lastUsed === 'passkey'} isMock={isMock} onEnd={() => setRound(now => now + 1)} />
          )}
        </div>
      )}
      {hasButtons && only && <Separator>{translate('auth.or')}</Separator>}
      {only && second === undefined && forms[only]}
      {only && second && (
        <Tabs
          label={translate('auth.ways')}
          initial={code.wasLeft ? 'magic-link' : (firstTab ?? tabs.find(tab => tab === lastUsed) ?? only)}
          tabs={tabs.map(id => ({
            id,
            label: translate(id === 'password' ? 'tab.password' : 'tab.magicLink'),
            content: forms[id],
          }))}
        />
      )}
    </>
  );
}
