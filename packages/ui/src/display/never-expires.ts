const neverAfterMs = 50 * 365 * 24 * 3600 * 1000;

/**
 * Whether an expiry counts as none, because it is more than 50 years ahead. A key without an end has a time on the wire,
 * one or two centuries ahead.
 */
export function neverExpires(expiresAt: Date, nowMs = Date.now()): boolean {
  return expiresAt.getTime() - nowMs > neverAfterMs;
}
