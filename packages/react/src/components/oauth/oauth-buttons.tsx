import type { ProviderName } from '@tessera/client';
import { Button, classNames, FormSummary, ProviderIcon, providerLook } from '@tessera/ui';
import { useState } from 'react';
import { useProjectState } from '../../hooks/read-state.ts';
import type { AuthType } from '../../sign-in/auth-state.ts';
import { lastUsedMethod, type SignInMethod } from '../../sign-in/last-used.ts';
import { type SignInFlow, usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { LastUsedBadge } from '../auth-page/last-used-badge.tsx';
import type { MockProject } from '../auth-page/mock-project.ts';
import { PartSurface } from '../cards/surface.tsx';
import { isInAppBrowser, isInFrame } from './browser-kind.ts';

/** Props of `OAuthButton`. */
export interface OAuthButtonProps {
  /** Id of the provider, such as `github`. */
  provider: ProviderName;
  type: AuthType;
  /** For demonstrations: the button does nothing. */
  isMock?: boolean | undefined;
}

/** A button that signs in with a provider. */
export function OAuthButton(props: OAuthButtonProps) {
  const flow = usePageFlow();
  return (
    <PartSurface>
      <ProviderButton {...props} isLastUsed={lastUsedMethod() === props.provider} flow={flow} />
    </PartSurface>
  );
}

/** Props of `OAuthButtonGroup`. */
export interface OAuthButtonGroupProps {
  type: AuthType;
  /** For demonstrations: replaces the project, of which only the providers are shown. */
  mockProject?: { readonly config: Pick<MockProject['config'], 'oauthProviders'> } | undefined;
}

/** A button for every provider of the project, in the order of the project. */
export function OAuthButtonGroup(props: OAuthButtonGroupProps) {
  return (
    <PartSurface>
      <ButtonGroup {...props} />
    </PartSurface>
  );
}

function ButtonGroup({ type, mockProject }: OAuthButtonGroupProps) {
  const flow = usePageFlow();
  const project = useProjectState();
  const translate = useTranslate();
  const { config } = mockProject ?? project.value ?? {};
  const providers = config?.oauthProviders.map(({ id }) => id) ?? [];

  if (config === undefined && project.error !== undefined) {
    return (
      <div className="tss:grid tss:gap-3">
        <FormSummary title={errorWords(project.error, translate)} />
        <Button variant="secondary" onClick={project.retry}>
          {translate('action.retry')}
        </Button>
      </div>
    );
  }
  return (
    <ProviderButtons
      type={type}
      providers={providers}
      lastUsed={lastUsedMethod()}
      isMock={mockProject !== undefined}
      flow={flow}
    />
  );
}

interface ProviderButtonsProps {
  type: AuthType;
  providers: readonly string[];
  lastUsed: SignInMethod | undefined;
  isMock: boolean;
  flow: SignInFlow;
}

/** Many providers are shown in two columns, by name only. */
export function hasTwoColumns(providers: readonly unknown[]): boolean {
  return providers.length > 3;
}

export function ProviderButtons({ type, providers, lastUsed, isMock, flow }: ProviderButtonsProps) {
  const isShort = hasTwoColumns(providers);
  return (
    <div className={classNames('tss:grid tss:gap-3', isShort && 'tessera-two-columns')}>
      {providers.map(provider => (
        <ProviderButton
          key={provider}
          provider={provider as ProviderName}
          type={type}
          isShort={isShort}
          isMock={isMock}
          isLastUsed={provider === lastUsed}
          flow={flow}
        />
      ))}
    </div>
  );
}

interface ProviderButtonProps extends OAuthButtonProps {
  isLastUsed: boolean;
  flow: SignInFlow;
  /** Shows only the name of the provider. */
  isShort?: boolean;
}

function ProviderButton({ provider, type, isMock = false, isLastUsed, flow, isShort = false }: ProviderButtonProps) {
  const translate = useTranslate();
  const { pending } = flow.step;
  const [failure, setFailure] = useState<unknown>();
  const { name, icon } = providerLook(provider);

  const text = translate(type === 'sign-in' ? 'oauth.signIn' : 'oauth.signUp', { name });
  const isMarked = isLastUsed && !isMock;
  // The accessible name contains the visible text, mark included (WCAG 2.5.3).
  const label = isMarked ? `${name} ${translate('auth.lastUsed')}: ${text}` : text;
  // Providers refuse to be shown inside frames.
  const isFramed = isInFrame();

  async function signIn() {
    if (isMock) return;
    setFailure(undefined);
    setFailure((await flow.signInWithProvider(provider))?.error);
  }

  return (
    <div className="tss:grid tss:gap-1.5">
      <Button
        busy={pending?.provider === provider}
        disabled={isFramed}
        title={isFramed ? translate('oauth.framed', { name }) : undefined}
        variant="secondary"
        className="tessera-provider-button"
        data-provider={provider}
        aria-label={isShort ? label : undefined}
        onClick={() => void signIn()}
      >
        {icon && <ProviderIcon icon={icon} />}
        {isShort ? name : text}
        {/* A space between the words, for speech input. */ isMarked && ' '}
        {isMarked && <LastUsedBadge />}
      </Button>
      {provider === 'google' && isInAppBrowser() && (
        <p className="tss:text-sm tss:text-muted-foreground">{translate('oauth.inApp', { name })}</p>
      )}
      {failure !== undefined && <FormSummary title={errorWords(failure, translate)} />}
    </div>
  );
}
