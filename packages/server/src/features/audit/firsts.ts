export const hourMs = 3_600_000;
const maxRemembered = 10_000;

/** Tells the first thing of a name in an hour from those that come after it, as far as this process knows. */
export function createFirsts(): (name: string, nowMillis: number) => boolean {
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
