import { Button } from '@tessera/ui';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useTranslate } from '../../../words/translate.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Hint, Section } from '../parts/parts.tsx';
import type { AuthSectionProps } from './methods.ts';
import { hasVerifiedSignInAddress, isOnlyWay } from './methods.ts';

interface OtpSectionProps extends AuthSectionProps {
  isOn: boolean;
  /** Called after codes were turned off. */
  onOff: () => void;
}

/** Turns sign-in by emailed codes and links on and off. */
export function OtpSection({ user, channels, ways, isOn, onOff }: OtpSectionProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  if (isOn) {
    return (
      <Section title={translate('otp.title')} text={translate('otp.isOn')}>
        {isOnlyWay(ways, 'otp') ? (
          <Hint>{translate('access.only')}</Hint>
        ) : (
          <ConfirmButton
            text={translate('action.disable')}
            aria-label={`${translate('action.disable')}: ${translate('otp.title')}`}
            question={translate('otp.disableTitle')}
            consequence={translate('otp.disableText')}
            act={() => user.update({ otpAuthEnabled: false }).then(onOff)}
          />
        )}
      </Section>
    );
  }
  return (
    <Section title={translate('otp.title')} text={translate('otp.isOff')}>
      {hasVerifiedSignInAddress(channels) ? (
        <Button
          variant="secondary"
          aria-label={`${translate('action.enable')}: ${translate('otp.title')}`}
          onClick={async () => void (await attempt(() => user.update({ otpAuthEnabled: true })))}
        >
          {translate('action.enable')}
        </Button>
      ) : (
        <Hint>{translate('access.needsVerified')}</Hint>
      )}
      {failure}
    </Section>
  );
}
