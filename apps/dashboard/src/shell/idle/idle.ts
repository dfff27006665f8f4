/** Without any activity in all tabs for this time, the session of the dashboard ends. */
const idleLimitMs = 30 * 60_000;
/** The warning appears this long before. */
const idleWarningMs = 2 * 60_000;

/** Whether the user is active, is warned, or has been idle for too long. */
export type IdleState =
  | { readonly name: 'active'; readonly nextCheckMs: number }
  | { readonly name: 'warned'; readonly leftMs: number }
  | { readonly name: 'ended' };

/** The state at a time, by the latest activity. A clock that was set back counts as activity. */
export function idleStateAt(nowMillis: number, lastActiveMillis: number): IdleState {
  const idleMs = Math.max(0, nowMillis - lastActiveMillis);
  if (idleMs >= idleLimitMs) return { name: 'ended' };
  const leftMs = idleLimitMs - idleMs;
  if (leftMs <= idleWarningMs) return { name: 'warned', leftMs };
  return { name: 'active', nextCheckMs: leftMs - idleWarningMs };
}
