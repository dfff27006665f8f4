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
