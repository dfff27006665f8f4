const secondMs = 1000;

/** Makes the text of the `Date` header (RFC 9110 section 5.6.7). It changes once a second, and most requests share it. */
export function createDateText(): (nowMillis: number) => string {
  let second = Number.NaN;
  let text = '';
  return nowMillis => {
    const wanted = Math.floor(nowMillis / secondMs);
    if (wanted !== second) {
      second = wanted;
      text = new Date(wanted * secondMs).toUTCString();
    }
    return text;
  };
}
