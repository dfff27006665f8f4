import type { CurrentUser, ProjectConfig, ProviderAccount, ProviderName } from '@tessera/client';
import { Actions, Button, Dialog, ProviderIcon, providerLook } from '@tessera/ui';
import { useState } from 'react';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useLoad } from '../../../hooks/use-load.ts';
import { useDates } from '../../../words/dates.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { Hint, Row, Rows, Section } from '../parts/parts.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { askedProvider, withoutQuestion } from './connect-address.ts';
import type { AuthSectionProps } from './methods.ts';
import { isOnlyWay } from './methods.ts';

interface AccountsSectionProps extends Pick<AuthSectionProps, 'user' | 'ways'> {
  config: Pick<ProjectConfig, 'oauthProviders'>;
}

/** The provider accounts that the user signs in with: connects and disconnects them. */
export function AccountsSection({ user, ways, config }: AccountsSectionProps) {
  const translate = useTranslate();
  const details = useLoad(() => user.getProviderAccounts());
  const connected = [...new Set(user.oauthProviders.map(({ id }) => id))];
  const others = config.oauthProviders.map(({ id }) => id).filter(id => !connected.includes(id));
  if (connected.length === 0 && others.length === 0) return null;

  return (
    <Section title={translate('accounts.title')} text={translate('accounts.text')}>
      {connected.length > 0 && (
        <Rows label={translate('accounts.title')}>
          {connected.map(id => (
            <AccountRow
              key={id}
              user={user}
              id={id}
              isOnly={isOnlyWay(ways, `provider:${id}`)}
              details={details.value?.find(({ providerId }) => providerId === id)}
            />
          ))}
        </Rows>
      )}
      <ConnectQuestion user={user} others={others} />
      {others.length > 0 && (
        <div className="tss:flex tss:flex-wrap tss:gap-3">
          {others.map(id => (
            <ConnectButton key={id} user={user} id={id} />
          ))}
        </div>
      )}
    </Section>
  );
}

interface AccountRowProps {
  user: CurrentUser;
  id: string;
  /** Whether the account cannot sign in without it. */
  isOnly: boolean;
  /** Undefined until they are loaded. */
  details: ProviderAccount | undefined;
}

function AccountRow({ user, id, isOnly, details }: AccountRowProps) {
  const translate = useTranslate();
  const dates = useDates();
  const { name, icon } = providerLook(id);
  const known = [details?.name, details?.email ?? emailOf(user, id)].filter(part => part != null);
  const disconnection = {
    text: translate('accounts.disconnect'),
    act: () => user.disconnectProvider(id as ProviderName),
    question: {
      title: translate('accounts.disconnectTitle', { name }),
      consequence: translate('accounts.disconnectText', { name }),
    },
  };

  return (
    <Row actions={<RowMenu of={name} actions={isOnly ? [] : [disconnection]} />}>
      <span className="tss:flex tss:items-center tss:gap-3">
        {icon && <ProviderIcon icon={icon} />}
        <span className="tss:font-medium tss:wrap-anywhere">{name}</span>
      </span>
      {known.length > 0 && (
        <Hint>
          <bdi className="tss:wrap-anywhere">{known.join(' · ')}</bdi>
        </Hint>
      )}
      {details && <Hint>{translate('accounts.since', { date: dates.day(details.connectedAt) })}</Hint>}
      {isOnly && <Hint>{translate('access.only')}</Hint>}
    </Row>
  );
}

/**
 * On the wire this field holds the email address, which the type of the field does not declare
 * (docs/contract/client-sdk.md#base-properties).
 */
function emailOf({ oauthProviders }: CurrentUser, providerId: string): string | undefined {
  const accounts: readonly { readonly id: string; readonly email?: unknown }[] = oauthProviders;
  const account = accounts.find(({ id }) => id === providerId);
  return typeof account?.email === 'string' ? account.email : undefined;
}

/** After a sign-in with the address of this account at a provider: asks whether to connect the provider. */
function ConnectQuestion({ user, others }: { user: CurrentUser; others: readonly string[] }) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const [asked, setAsked] = useState(() => askedProvider(window.location.search));
  if (asked === undefined || !others.includes(asked)) return null;
  const { name } = providerLook(asked);
  const returnTo = withoutQuestion(window.location.href);

  function close() {
    window.history.replaceState(window.history.state, '', returnTo);
    setAsked(undefined);
  }

  return (
    <Dialog title={translate('accounts.connectTitle', { name })} onClose={close}>
      <p className="tss:text-pretty tss:text-muted-foreground">
        {translate('accounts.connectText', { name, account: user.primaryEmail ?? user.displayName ?? user.id })}
      </p>
      {failure}
      <Actions>
        <Button variant="secondary" className="tss:flex-auto" onClick={close}>
          {translate('action.notNow')}
        </Button>
        <Button
          className="tss:flex-auto"
          onClick={async () => void (await attempt(() => user.connectProvider(asked as ProviderName, { returnTo })))}
        >
          {translate('accounts.connect', { name })}
        </Button>
      </Actions>
    </Dialog>
  );
}

function ConnectButton({ user, id }: { user: CurrentUser; id: string }) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const { name, icon } = providerLook(id);

  return (
    <div className="tss:grid tss:gap-1.5">
      <Button
        variant="secondary"
        className="tessera-provider-button"
        data-provider={id}
        onClick={async () => void (await attempt(() => user.connectProvider(id as ProviderName)))}
      >
        {icon && <ProviderIcon icon={icon} />}
        {translate('accounts.connect', { name })}
      </Button>
      {failure}
    </div>
  );
}
