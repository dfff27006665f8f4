import { type CurrentUser, createTotpEnrolment, type TotpEnrolment } from '@tessera/client';
import { Button, FormSummary, Skeleton } from '@tessera/ui';
import { useState } from 'react';
import { CodeEntry } from '../../../../form/code-entry.tsx';
import { useAttempt } from '../../../../form/use-attempt.tsx';
import { lazyPart } from '../../../../lazy/lazy-part.tsx';
import { useTranslate } from '../../../../words/translate.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Hint, Section } from '../../parts/parts.tsx';
import { fittingName } from './fitting-name.ts';
import { RecoveryCodesSection } from './recovery-codes.tsx';

const QrCode = lazyPart(
  () => import('../../../../lazy/settings-dialogs.ts').then(module => module.QrCode),
  () => <Skeleton style={{ width: 200, height: 200 }} />,
);

interface TotpProps {
  user: CurrentUser;
  projectName: string;
}

/** The second factor: codes of an authenticator app (control 63: enrolment needs a valid code). */
export function TotpSection({ user, projectName }: TotpProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();

  function enrol() {
    const [issuer, account] = [fittingName(projectName), fittingName(user.primaryEmail ?? user.id)];
    setEnrolment(createTotpEnrolment({ issuer, account }));
  }

  async function disable() {
    setEnrolment(undefined);
    await attempt(() => user.update({ totpMultiFactorSecret: null }));
  }

  const isOn = user.isMultiFactorRequired;
  return (
    <>
      <Section title={translate('totp.title')} text={translate(isOn ? 'totp.isOn' : 'totp.isOff')}>
        {!isOn && enrolment !== undefined ? (
          <Enrolment user={user} enrolment={enrolment} cancel={() => setEnrolment(undefined)} />
        ) : (
          <Button
            variant="secondary"
            aria-label={`${translate(isOn ? 'action.disable' : 'action.enable')}: ${translate('totp.title')}`}
            onClick={isOn ? disable : enrol}
          >
            {translate(isOn ? 'action.disable' : 'action.enable')}
          </Button>
        )}
        {failure}
      </Section>
      {/* Codes are created at once after the enrolment: later most users would not think of them. */}
      {isOn && <RecoveryCodesSection user={user} projectName={projectName} createsAtOnce={enrolment !== undefined} />}
    </>
  );
}

interface EnrolmentProps extends Pick<TotpProps, 'user'> {
  enrolment: TotpEnrolment;
  cancel: () => void;
}

function Enrolment({ user, enrolment, cancel }: EnrolmentProps) {
  const translate = useTranslate();
  const { secret, secretText, uri } = enrolment;

  async function enable(code: string): Promise<string | undefined> {
    if (!(await enrolment.isValid(code))) return translate('error.INVALID_TOTP_CODE');
    await user.update({ totpMultiFactorSecret: secret });
    return undefined;
  }

  // Browsers compute the code in secure contexts only; without it the page cannot check that the app has the key.
  if (!window.isSecureContext) return <FormSummary title={translate('totp.insecure')} />;
  return (
    <div className="tss:grid tss:w-full tss:max-w-96 tss:grid-cols-[minmax(0,1fr)] tss:gap-4">
      <p className="tss:text-sm">{translate('totp.scan')}</p>
      <QrCode text={uri} label={translate('totp.qr')} />
      <div className="tss:grid tss:gap-1.5">
        <Hint>{translate('totp.key')}</Hint>
        <code dir="ltr" className="tss:select-all tss:font-mono tss:wrap-anywhere">
          {secretText.match(/.{1,4}/g)?.join(' ')}
        </code>
        <CopyButton text={secretText} />
      </div>
      <CodeEntry kind="digits" submit={enable} />
      <Button variant="secondary" onClick={cancel}>
        {translate('action.cancel')}
      </Button>
    </div>
  );
}
