import { openStorage } from '../storage/browser-storage.ts';
import { parseJson } from '../storage/parse-json.ts';

/** A sign-in that waits for the code of an email. */
export interface MailedCode {
  readonly email: string;
  /** The nonce that completes the six characters of the email. */
  readonly nonce: string;
  readonly sentAtMillis: number;
}

/** `signInCodeLifetimeMs` of the protocol; the import would take the pages over their size. A later visit starts over. */
const lifetimeMs = 15 * 60_000;

/** Stored in this tab: phones discard a page while the user reads the email. Without the email it is useless. */
export function mailedCode(projectId: string) {
  const kept = openStorage('session', `tessera.mailed-code.${projectId}`);
  return {
    read(): MailedCode | undefined {
      const sent = parse(kept.read());
      return sent && Date.now() - sent.sentAtMillis < lifetimeMs ? sent : undefined;
    },
    write: (sent: MailedCode) => kept.write(JSON.stringify(sent)),
    clear: kept.clear,
  };
}

/** Other scripts of the page can write there too, so the value is parsed. */
function parse(text: string | undefined): MailedCode | undefined {
  const { email, nonce, sentAtMillis } = parseJson(text) ?? {};
  const isWhole = typeof email === 'string' && typeof nonce === 'string' && typeof sentAtMillis === 'number';
  return isWhole ? { email, nonce, sentAtMillis } : undefined;
}
