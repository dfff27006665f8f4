import type { LogPosition } from './store.ts';

/** A cursor is the position of the first attempt of the next page. */
export function cursorOf({ sentAtMillis, number }: LogPosition): string {
  return `${sentAtMillis}.${number}`;
}

/** @param cursor already validated by the schema */
export function positionOf(cursor: string): LogPosition {
  const [sentAtMillis = '', number = ''] = cursor.split('.');
  return { sentAtMillis: Number(sentAtMillis), number: Number(number) };
}

/** The typed code in upper case, and a whole code. Runs of the same characters in other words are hidden too. */
const codes = /[0-9A-HJKMNP-TV-Z]{6,}|[0-9a-hjkmnp-tv-z]{45,}/g;

/** A subject with its codes replaced by dots. */
export function withoutCodes(subject: string): string {
  return subject.replaceAll(codes, '••••••');
}
