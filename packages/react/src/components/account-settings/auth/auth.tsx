import type { ContactChannel, CurrentUser, ProjectConfig } from '@tessera/client';
import { useRead } from '../../../hooks/use-read.ts';
import { useSay } from '../../../words/say.tsx';
import type { Say } from '../../../words/words.ts';
import { providerLook } from '../../oauth/provider-looks.ts';
import { Hint, Loaded } from '../parts.tsx';
import { AccountsSection } from './accounts.tsx';
import { Emails } from './emails.tsx';
import { type Way, waysOf } from './methods.ts';
import { OtpSection } from './otp.tsx';
import { PasskeySection } from './passkey.tsx';
import { PasswordSection } from './password.tsx';
import { TotpSection } from './totp.tsx';

/** What every section about signing in knows. */
export interface AuthSectionProps {
  user: CurrentUser;
  channels: readonly ContactChannel[];
}

interface AuthProps {
  user: CurrentUser;
  config: ProjectConfig;
  projectName: string;
}

/** Addresses, and the ways to sign in. */
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
            <AccountsSection user={user} />
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
  const say = useSay();
  const ways = waysOf(user).map(way => wayName(way, say));

  return <Hint>{ways.length > 0 ? say('access.ways', { ways: ways.join(', ') }) : say('access.none')}</Hint>;
}

function wayName(way: Way, say: Say): string {
  switch (way) {
    case 'password':
      return say('access.password');
    case 'otp':
      return say('access.code');
    case 'passkey':
      return say('access.passkey');
    default:
      return providerLook(way.slice('provider:'.length)).name;
  }
}
