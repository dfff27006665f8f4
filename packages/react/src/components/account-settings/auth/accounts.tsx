import type { CurrentUser } from '@tessera/client';
import { useTranslate } from '../../../words/translate.tsx';
import { ProviderIcon } from '../../oauth/provider-icon.tsx';
import { providerLook } from '../../oauth/provider-looks.ts';
import { Hint, Row, Rows, Section } from '../parts.tsx';

/** The provider accounts that the user signs in with. */
export function AccountsSection({ user }: { user: CurrentUser }) {
  const translate = useTranslate();
  if (user.oauthProviders.length === 0) return null;

  return (
    <Section title={translate('accounts.title')} text={translate('accounts.text')}>
      <Rows label={translate('accounts.title')}>
        {user.oauthProviders.map(account => (
          <AccountRow key={account.id} account={account} />
        ))}
      </Rows>
    </Section>
  );
}

/**
 * On the wire this field holds the email address, which the type of the field does not declare
 * (docs/contract/client-sdk.md#base-properties).
 */
function AccountRow({ account }: { account: { readonly id: string; readonly email?: unknown } }) {
  const { name, icon } = providerLook(account.id);

  return (
    <Row>
      <span className="tss:flex tss:items-center tss:gap-3">
        {icon && <ProviderIcon icon={icon} />}
        <span className="tss:font-medium tss:wrap-anywhere">{name}</span>
      </span>
      {typeof account.email === 'string' && (
        <Hint>
          <bdi className="tss:wrap-anywhere">{account.email}</bdi>
        </Hint>
      )}
    </Row>
  );
}
