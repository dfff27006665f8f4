import { Button } from '@tessera/ui';
import { useEffect, useState } from 'react';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';

/** How long one waits for a mail before asking for another. */
const patienceMs = 30_000;

interface ResendButtonProps {
  sentAtMillis: number;
  /** Answers what is wrong with the address, if anything. */
  resend: () => Promise<unknown>;
}

/** Sends a mail again. Counts down first, so that nobody gets five. */
export function ResendButton({ sentAtMillis, resend }: ResendButtonProps) {
  const translate = useTranslate();
  const secondsLeft = useSecondsUntil(sentAtMillis + patienceMs);
  const [note, setNote] = useState('');

  async function send() {
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
      <Button variant="ghost" disabled={secondsLeft > 0} onClick={send}>
        {secondsLeft > 0 ? translate('resend.wait', { seconds: secondsLeft }) : translate('resend.submit')}
      </Button>
      <p role="status" className="tss:order-last tss:w-full tss:text-sm tss:empty:hidden">
        {note}
      </p>
    </>
  );
}

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

  return Math.max(0, secondsLeft);
}
