import { Button, classNames, FormSummary } from '@tessera/ui';
import { type CSSProperties, useEffect, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useProjectState } from '../../hooks/read-state.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { MockProject } from '../auth-page/auth-page.tsx';
import type { AuthType } from '../auth-page/auth-state.ts';
import { lastUsedMethod, rememberMethod, type SignInMethod } from '../auth-page/last-used.ts';
import { LastUsedBadge } from '../auth-page/last-used-badge.tsx';
import { PartSurface } from '../cards/surface.tsx';
import { isInAppBrowser, isInFrame } from '../passkey/browser-kind.ts';
import { ProviderIcon } from './provider-icon.tsx';
import { providerLook } from './provider-looks.ts';

/** Props of `OAuthButton`. */
export interface OAuthButtonProps {
  /** Id of the provider, such as `github`. */
  provider: string;
  type: AuthType;
  /** For demonstrations: the button does nothing. */
  isMock?: boolean | undefined;
}

/** A button that signs in with a provider. */
export function OAuthButton(props: OAuthButtonProps) {
  return (
    <PartSurface>
      <ProviderButton {...props} isLastUsed={lastUsedMethod() === props.provider} />
    </PartSurface>
  );
}

/** Props of `OAuthButtonGroup`. */
export interface OAuthButtonGroupProps {
  type: AuthType;
  /** For demonstrations: replaces the project. */
  mockProject?: MockProject | undefined;
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
  const project = useProjectState();
  const { config } = mockProject ?? project.value ?? {};
  const providers = config?.oauthProviders.map(({ id }) => id) ?? [];

  return (
    <div className="tss:grid tss:gap-3">
      <ProviderButtons
        type={type}
        providers={providers}
        lastUsed={lastUsedMethod()}
        isMock={mockProject !== undefined}
      />
    </div>
  );
}

interface ProviderButtonsProps {
  type: AuthType;
  providers: readonly string[];
  lastUsed: SignInMethod | undefined;
  isMock: boolean;
}

export function ProviderButtons({ type, providers, lastUsed, isMock }: ProviderButtonsProps) {
  return providers.map(provider => (
    <ProviderButton key={provider} provider={provider} type={type} isMock={isMock} isLastUsed={provider === lastUsed} />
  ));
}

function ProviderButton({ provider, type, isMock = false, isLastUsed }: OAuthButtonProps & { isLastUsed: boolean }) {
  const app = useApp();
  const translate = useTranslate();
  const [isLeaving, setLeaving] = useNavigateAway();
  const [failure, setFailure] = useState<unknown>();
  const { name, icon, colors } = providerLook(provider);

  // Providers refuse to be shown inside frames.
  const isFramed = isInFrame();

  async function signIn() {
    if (isMock) return;
    rememberMethod(provider);
    setFailure(undefined);
    setLeaving(true);
    try {
      await app.signInWithOAuth(provider);
    } catch (error) {
      setFailure(error);
    } finally {
      setLeaving(false);
    }
  }

  return (
    <div className="tss:grid tss:gap-1.5">
      <Button
        busy={isLeaving}
        disabled={isFramed}
        title={isFramed ? translate('oauth.framed', { name }) : undefined}
        variant={colors ? 'primary' : 'outline'}
        className={classNames('tessera-provider-button', colors && providerColors)}
        data-provider={provider}
        style={colors as CSSProperties | undefined}
        onClick={() => void signIn()}
      >
        {icon && <ProviderIcon icon={icon} />}
        {translate(type === 'sign-in' ? 'oauth.signIn' : 'oauth.signUp', { name })}
        {isLastUsed && !isMock && <LastUsedBadge />}
      </Button>
      {provider === 'google' && isInAppBrowser() && (
        <p className="tss:text-sm tss:text-muted-foreground">{translate('oauth.inApp', { name })}</p>
      )}
      {failure !== undefined && <FormSummary title={errorWords(failure, translate)} />}
    </div>
  );
}

const providerColors = classNames(
  'tss:border-(--tessera-provider-border)! tss:bg-(--tessera-provider)! tss:text-(--tessera-provider-text)!',
  'tss:hover:bg-[color-mix(in_oklab,var(--tessera-provider)_90%,var(--tessera-provider-text))]!',
);

/** Whether the page is being left. The Back button of the browser restores the page as it was. */
function useNavigateAway() {
  const [isLeaving, setLeaving] = useState(false);

  useEffect(() => {
    const comeBack = () => setLeaving(false);
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, []);

  return [isLeaving, setLeaving] as const;
}
