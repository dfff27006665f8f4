export const hourMs = 3_600_000;
const maxRemembered = 10_000;

/** Returns a function that is true for the first call with a name in each hour, within this process. */
export function createFirstSeen(): (name: string, nowMillis: number) => boolean {
  let hour = 0;
  let seen = new Set<string>();

  return (name, nowMillis) => {
    const hourNow = Math.floor(nowMillis / hourMs);
    if (hourNow !== hour || seen.size >= maxRemembered) seen = new Set();
    hour = hourNow;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  };
}
