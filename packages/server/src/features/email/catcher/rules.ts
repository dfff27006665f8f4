import { parseUrl } from '@tessera/protocol';

/** The code and link of an email, found in its plain text. */
export interface EmailActions {
  /** The link of the email, which is alone on a line; null when there is none. */
  readonly link: string | null;
  /** `code` of the link. */
  readonly code: string | null;
  /** The code to type in, alone on a line; null when there is none. */
  readonly otp: string | null;
}

export function emailActions(text: string): EmailActions {
  const lines = text.split('\n');
  const link = lines.find(line => line.includes('://') && parseUrl(line) !== undefined) ?? null;
  const code = link === null ? null : new URL(link).searchParams.get('code');
  const otp = lines.find(line => /^[0-9A-Z]{6}$/.test(line)) ?? null;
  return { link, code, otp };
}
