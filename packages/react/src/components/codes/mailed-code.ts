import { openStorage } from '../../storage/browser-storage.ts';

/** A sign-in that waits for the code from a mail. */
export interface MailedCode {
  readonly email: string;
  /** What makes the six characters of the mail a whole code. */
  readonly nonce: string;
  readonly sentAtMillis: number;
}

/** As long as the server takes the code; a later visit starts anew. */
const lifetimeMs = 15 * 60_000;

/** Kept in this tab: phones throw a page away while the mail is read. Without the mail it opens nothing. */
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

/** Other scripts of the page may write there too. */
function parse(text: string | undefined): MailedCode | undefined {
  try {
    const { email, nonce, sentAtMillis } = JSON.parse(text ?? '{}') ?? {};
    const isWhole = typeof email === 'string' && typeof nonce === 'string' && typeof sentAtMillis === 'number';
    return isWhole ? { email, nonce, sentAtMillis } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
