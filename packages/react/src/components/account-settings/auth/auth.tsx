import type { CurrentUser, ProjectConfig } from '@tessera/client';
import { providerLook } from '@tessera/ui';
import { useLoad } from '../../../hooks/use-load.ts';
import { useRead } from '../../../hooks/use-read.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { isWordKey, type Translate } from '../../../words/words.ts';
import { Hint, Loaded } from '../parts/parts.tsx';
import { AccountsSection } from './accounts.tsx';
import { Emails } from './emails.tsx';
import { type AuthSectionProps, methodsOf, type SignInMethodId } from './methods.ts';
import { OtpSection } from './otp.tsx';
import { PasskeySection } from './passkeys/passkey.tsx';
import { PasswordSection } from './password.tsx';
import { TotpSection } from './second-factor/totp.tsx';

interface AuthProps {
  user: CurrentUser;
  config: ProjectConfig;
  projectName: string;
}

/** Email addresses and sign-in methods. */
export function Auth({ user, config, projectName }: AuthProps) {
  const channels = useRead(user, 'listContactChannels');
  const codes = useLoad(async () => user.getEmailCodeState());
  // A verified address signs in with a code before the first one was used. A server without this extension does not tell.
  const otpAuthEnabled = user.otpAuthEnabled || codes.value === 'first_use';

  return (
    <Loaded reading={channels}>
      {list => {
        const ways = methodsOf(user, config, list);
        const props = { user, channels: list, ways };
        return (
          <>
            <Overview ways={methodsOf({ ...user, otpAuthEnabled }, config, list)} />
            <Emails {...props} />
            <AccountsSection {...props} config={config} />
            {config.credentialEnabled && <PasswordSection {...props} />}
            {config.passkeyEnabled && <PasskeySection {...props} />}
            {config.magicLinkEnabled && (
              <OtpSection {...props} isOn={otpAuthEnabled} onOff={() => codes.change(() => 'refused')} />
            )}
            <TotpSection user={user} projectName={projectName} />
          </>
        );
      }}
    </Loaded>
  );
}

function Overview({ ways }: Pick<AuthSectionProps, 'ways'>) {
  const translate = useTranslate();
  const names = ways.map(way => methodName(way, translate));

  return (
    <Hint>{names.length > 0 ? translate('access.ways', { ways: names.join(', ') }) : translate('access.none')}</Hint>
  );
}

function methodName(way: SignInMethodId, translate: Translate): string {
  const key = `access.${way}`;
  return isWordKey(key) ? translate(key) : providerLook(way.slice('provider:'.length)).name;
}
