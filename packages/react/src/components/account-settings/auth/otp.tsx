import { Button } from '@tessera/ui';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useSay } from '../../../words/say.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Hint, Section } from '../parts.tsx';
import type { AuthSectionProps } from './auth.tsx';
import { hasVerifiedSignInAddress, isOnlyWay } from './methods.ts';

/** Signing in with codes and links from mails, on or off. */
export function OtpSection({ user, channels }: AuthSectionProps) {
  const say = useSay();
  const { attempt, failure } = useAttempt();

  if (user.otpAuthEnabled) {
    return (
      <Section title={say('otp.title')} text={say('otp.isOn')}>
        {isOnlyWay(user, 'otp') ? (
          <Hint>{say('access.only')}</Hint>
        ) : (
          <ConfirmButton
            text={say('action.disable')}
            aria-label={`${say('action.disable')}: ${say('otp.title')}`}
            question={say('otp.disableTitle')}
            consequence={say('otp.disableText')}
            act={() => user.update({ otpAuthEnabled: false })}
          />
        )}
      </Section>
    );
  }
  return (
    <Section title={say('otp.title')} text={say('otp.isOff')}>
      {hasVerifiedSignInAddress(channels) ? (
        <Button
          variant="outline"
          aria-label={`${say('action.enable')}: ${say('otp.title')}`}
          onClick={async () => void (await attempt(() => user.update({ otpAuthEnabled: true })))}
        >
          {say('action.enable')}
        </Button>
      ) : (
        <Hint>{say('access.needsVerified')}</Hint>
      )}
      {failure}
    </Section>
  );
}
