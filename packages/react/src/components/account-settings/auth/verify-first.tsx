import { useTranslate } from '../../../words/translate.tsx';
import { Hint } from '../parts/parts.tsx';
import type { AuthSectionProps } from './auth.tsx';
import { signInAddress } from './methods.ts';

/** Why a section needs a verified address. The list of addresses above has the button that sends the email. */
export function VerifyFirst({ channels }: Pick<AuthSectionProps, 'channels'>) {
  const translate = useTranslate();
  const channel = signInAddress(channels);

  return (
    <Hint>
      {channel === undefined
        ? translate('access.needsVerified')
        : translate('access.verifyFirst', { email: channel.value })}
    </Hint>
  );
}
