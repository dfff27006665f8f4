import { words } from '../words.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A length of time in its largest whole unit: "90 minutes", "2 days". */
export function durationWords(millis: number): string {
  if (millis % dayMs === 0) return words.duration.days(millis / dayMs);
  if (millis % hourMs === 0) return words.duration.hours(millis / hourMs);
  return words.duration.minutes(Math.round((millis / minuteMs) * 10) / 10);
}

/** The choices of a setting. A value that was set elsewhere is one of them. */
export function choicesWith(choices: readonly number[], current: number | null): readonly number[] {
  if (current === null || choices.includes(current)) return choices;
  return [...choices, current].sort((one, other) => one - other);
}
