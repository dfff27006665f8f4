/** Successive periods of sign-up of equal length. The page begins in the first one. */
export interface SignUpPeriods {
  /** What the index `users_search_by_period` adds to the numbers of periods of this length. */
  readonly firstNumber: number;
  readonly lengthMillis: number;
  readonly count: number;
  /** The share of all users that signed up in these periods, about. */
  readonly share: number;
}

/** The lengths of the periods, which are those of the index: 1, 8, 64, 512 and 4,096 hours. */
const lengths = [0, 1, 2, 3, 4].map(level => ({
  firstNumber: level * 1_000_000_000_000,
  lengthMillis: 3_600_000 * 8 ** level,
}));
/** Reading more is slower than reading longer ones. */
const maxPeriods = 20;

/**
 * The periods at one end of the order of sign-up that contain a share of all users.
 *
 * @param share between 0 and 1, exclusive
 * @param times times of sign-up in ascending order, with as many users between each two
 * @returns undefined when no times are known, when the share is of too long a time, and when the periods are of all users
 */
export function periodsWith(share: number, times: readonly number[], isDescending: boolean): SignUpPeriods | undefined {
  const millis = isDescending ? timeAt(1, times) - timeAt(1 - share, times) : timeAt(share, times) - timeAt(0, times);
  const length = lengths.find(({ lengthMillis }) => millis <= maxPeriods * lengthMillis);
  if (length === undefined) return undefined;
  // The page begins anywhere in its first period.
  const count = Math.ceil(millis / length.lengthMillis) + 1;
  const covered = (share * count * length.lengthMillis) / millis;
  return covered < 1 ? { ...length, count, share: covered } : undefined;
}

/** The time before which a share of the users signed up; NaN when no times are known. */
function timeAt(share: number, times: readonly number[]): number {
  const place = share * (times.length - 1);
  const [before = Number.NaN, after = before] = times.slice(Math.floor(place));
  return before + (after - before) * (place % 1);
}
