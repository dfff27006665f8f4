/**
 * The time of the counters that rate-limiter-flexible writes. The library (11.4.0) takes no clock: it calls `Date.now()` for
 * the rows and for its memory of exhausted counters. Code that reads its rows must use the same clock. A difference between
 * the clocks of two processes moves the end of a window by that difference.
 */
export const processMillis = () => Date.now();
