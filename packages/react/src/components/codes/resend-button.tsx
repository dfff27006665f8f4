import { Button, classNames } from '@tessera/ui';
import { useEffect, useState } from 'react';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';

/** How long the user waits for an email before another can be requested. */
const patienceMs = 30_000;

interface ResendButtonProps {
  sentAtMillis: number;
  /** Resolves to the problem of the address, or undefined. */
  resend: () => Promise<unknown>;
}

/** Sends an email again. Counts down first, so that a user does not request five. */
export function ResendButton({ sentAtMillis, resend }: ResendButtonProps) {
  const translate = useTranslate();
  const secondsLeft = useSecondsUntil(sentAtMillis + patienceMs);
  const isWaiting = secondsLeft > 0;
  const [note, setNote] = useState('');

  async function send() {
    if (isWaiting) return;
    setNote('');
    try {
      const refusal = await resend();
      setNote(refusal === undefined ? translate('resend.done') : errorWords(refusal, translate));
    } catch (error) {
      setNote(errorWords(error, translate));
    }
  }

  return (
    <>
      <Button
        variant="quiet"
        className={classNames('tss:-ms-4', isWaiting && 'tss:opacity-50')}
        // Not `disabled`, which would drop the focus after a click.
        aria-disabled={isWaiting}
        onClick={send}
      >
        {isWaiting ? translate('resend.wait', { seconds: secondsLeft }) : translate('resend.submit')}
      </Button>
      <p role="status" className="tss:order-last tss:w-full tss:text-sm tss:empty:hidden">
        {note}
      </p>
    </>
  );
}

/** Negative or zero afterwards. */
function useSecondsUntil(millis: number): number {
  const [now, setNow] = useState(Date.now);
  const secondsLeft = Math.ceil((millis - now) / 1000);
  const isRunning = secondsLeft > 0;

  useEffect(() => {
    setNow(Date.now());
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);

  return secondsLeft;
}
