/** Reproducible random numbers: the same seed and index give the same sequence on every machine. */
export interface Random {
  /** A uniformly distributed number in [0, 1). */
  next(): number;
  /** A uniformly distributed integer in [0, below). */
  below(below: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** True in a share of the cases. */
  chance(share: number): boolean;
  /** A UUID of version 4. */
  uuid(): string;
}

/** mulberry32. */
export function createRandom(seed: number, index: number): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35)) | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: list => list[below(list.length)] ?? list[0],
    chance: share => next() < share,
    uuid() {
      const hex = Array.from({ length: 4 }, () =>
        below(2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join('');
      const variant = (8 + (Number.parseInt(hex.slice(16, 17), 16) % 4)).toString(16);
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `${variant}${hex.slice(17, 20)}`,
        hex.slice(20),
      ].join('-');
    },
  };
}
