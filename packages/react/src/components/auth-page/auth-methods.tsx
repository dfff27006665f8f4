import { FormSummary, Separator, Tabs } from '@tessera/ui';
import { useState } from 'react';
import type { AuthOffer, AuthTab, AuthType } from '../../sign-in/auth-state.ts';
import { lastUsedMethod } from '../../sign-in/last-used.ts';
import { usePasskeyAutofill } from '../../sign-in/use-passkey-autofill.ts';
import type { SignInFlow } from '../../sign-in/use-sign-in-flow.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { MagicLinkForm } from '../codes/magic-link-sign-in.tsx';
import { ProviderButtons } from '../oauth/oauth-buttons.tsx';
import { PasskeySignIn } from '../passkey/passkey-button.tsx';
import { type AuthFormProps, CredentialSignInForm } from './credential-sign-in.tsx';
import { CredentialSignUpForm } from './credential-sign-up.tsx';

interface AuthMethodsProps {
  type: AuthType;
  offer: AuthOffer;
  firstTab?: AuthTab | undefined;
  noPasswordRepeat?: boolean | undefined;
  isMock: boolean;
  flow: SignInFlow;
  /** Whether the visitor left the step of the emailed code to change the address. */
  leftCode: boolean;
}

/** The sign-in methods from top to bottom: providers, passkey, and the forms for an email address. */
export function AuthMethods({ type, offer, firstTab, noPasswordRepeat, isMock, flow, leftCode }: AuthMethodsProps) {
  const translate = useTranslate();
  const { providers, hasPasskey, tabs } = offer;
  const [lastUsed] = useState(isMock ? undefined : lastUsedMethod);
  // How often one form has led to the other. Each time, the tabs open anew, with the focus in the form.
  const [turn, setTurn] = useState<{ count: number; tab?: AuthTab }>({ count: 0 });
  const { problem, pending } = flow.step;
  const offersPasskeys = usePasskeyAutofill({
    isOffered: hasPasskey && tabs.length > 0 && !isMock,
    isPaused: pending?.action === 'passkey',
    secondFactor: 'page',
    redirect: true,
    report: flow.report,
  });
  const hasButtons = providers.length > 0 || hasPasskey;
  const form = (other: AuthTab): AuthFormProps => ({
    flow,
    offersPasskeys,
    step: turn.tab && `${turn.count}`,
    chooseOther:
      type === 'sign-in' && tabs.includes(other) ? () => setTurn({ count: turn.count + 1, tab: other }) : undefined,
  });

  const forms = {
    'magic-link': <MagicLinkForm {...form('password')} />,
    password:
      type === 'sign-in' ? (
        <CredentialSignInForm {...form('magic-link')} />
      ) : (
        <CredentialSignUpForm noPasswordRepeat={noPasswordRepeat} flow={flow} />
      ),
  };
  const [only, second] = tabs;
  const initialTab = leftCode ? 'magic-link' : (firstTab ?? tabs.find(tab => tab === lastUsed) ?? only ?? 'password');

  return (
    <>
      {problem?.action === 'passkey-autofill' && <FormSummary title={errorWords(problem.error, translate)} />}
      {hasButtons && (
        <div className="tss:grid tss:gap-3">
          <ProviderButtons type={type} providers={providers} lastUsed={lastUsed} isMock={isMock} flow={flow} />
          {hasPasskey && <PasskeySignIn isLastUsed={lastUsed === 'passkey'} isMock={isMock} flow={flow} />}
        </div>
      )}
      {hasButtons && only && <Separator>{translate('auth.or')}</Separator>}
      {only && second === undefined && forms[only]}
      {only && second && (
        <Tabs
          key={turn.count}
          label={translate('auth.ways')}
          initial={turn.tab ?? initialTab}
          tabs={tabs.map(id => ({
            id,
            label: translate(id === 'password' ? 'field.password' : 'otp.title'),
            content: forms[id],
          }))}
        />
      )}
    </>
  );
}
