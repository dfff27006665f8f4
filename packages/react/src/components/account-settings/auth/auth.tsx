import type { ContactChannel, CurrentUser, ProjectConfig } from '@tessera/client';
import { providerLook } from '@tessera/ui';
import { useRead } from '../../../hooks/use-read.ts';
import { useTranslate } from '../../../words/translate.tsx';
import type { Translate } from '../../../words/words.ts';
import { Hint, Loaded } from '../parts/parts.tsx';
import { AccountsSection } from './accounts.tsx';
import { Emails } from './emails.tsx';
import { methodsOf, type SignInMethodId } from './methods.ts';
import { OtpSection } from './otp.tsx';
import { PasskeySection } from './passkeys/passkey.tsx';
import { PasswordSection } from './password.tsx';
import { TotpSection } from './second-factor/totp.tsx';

/** The props of every section about signing in. */
export interface AuthSectionProps {
  user: CurrentUser;
  channels: readonly ContactChannel[];
}

interface AuthProps {
  user: CurrentUser;
  config: ProjectConfig;
  projectName: string;
}

/** Email addresses and sign-in methods. */
export function Auth({ user, config, projectName }: AuthProps) {
  const channels = useRead(user, 'listContactChannels');

  return (
    <Loaded reading={channels}>
      {list => {
        const props = { user, channels: list };
        return (
          <>
            <Overview user={user} />
            <Emails {...props} />
            <AccountsSection user={user} config={config} />
            {config.credentialEnabled && <PasswordSection {...props} />}
            {config.passkeyEnabled && <PasskeySection {...props} />}
            {config.magicLinkEnabled && <OtpSection {...props} />}
            <TotpSection user={user} projectName={projectName} />
          </>
        );
      }}
    </Loaded>
  );
}

function Overview({ user }: { user: CurrentUser }) {
  const translate = useTranslate();
  const ways = methodsOf(user).map(way => methodName(way, translate));

  return (
    <Hint>{ways.length > 0 ? translate('access.ways', { ways: ways.join(', ') }) : translate('access.none')}</Hint>
  );
}

function methodName(way: SignInMethodId, translate: Translate): string {
  switch (way) {
    case 'password':
      return translate('access.password');
    case 'otp':
      return translate('access.code');
    case 'passkey':
      return translate('access.passkey');
    default:
      return providerLook(way.slice('provider:'.length)).name;
  }
}
