import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { type MailedCode, mailedCode } from './mailed-code.ts';

/** A sign-in by emailed code: whether a code was sent, and how to send one or start over. */
export interface MailedCodeSignIn {
  /** Undefined until an email was sent. It survives a reload, because phones discard pages while the user reads the email. */
  readonly sent: MailedCode | undefined;
  /** Whether the visitor left the code to change the address. */
  readonly wasLeft: boolean;
  /** Sends a code. Resolves to the problem of the address, or undefined. */
  readonly send: (email: string) => Promise<unknown>;
  readonly leave: () => void;
}

export function useMailedCode(): MailedCodeSignIn {
  const app = useApp();
  const [kept] = useState(() => mailedCode(app.projectId));
  const [sent, setSent] = useState(kept.read);
  const [wasLeft, setLeft] = useState(false);

  return {
    sent,
    wasLeft,
    async send(email) {
      const result = await app.sendMagicLinkEmail(email);
      if (result.status === 'error') return result.error;
      const next = { email, nonce: result.data.nonce, sentAtMillis: Date.now() };
      kept.write(next);
      setSent(next);
      return undefined;
    },
    leave() {
      kept.clear();
      setSent(undefined);
      setLeft(true);
    },
  };
}
