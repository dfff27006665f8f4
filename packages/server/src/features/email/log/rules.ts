/** The typed code in upper case, and a whole code. Runs of the same characters in other words are hidden too. */
const codes = /[0-9A-HJKMNP-TV-Z]{6,}|[0-9a-hjkmnp-tv-z]{45,}/g;

/** A subject with its codes replaced by dots. */
export function withoutCodes(subject: string): string {
  return subject.replaceAll(codes, '••••••');
}
