/**
 * A cursor that PostgreSQL can read as a snapshot (`xmin:xmax:running ids in order`); undefined for any other text.
 * https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT-PARTS
 */
export function readableCursor(text: string | undefined): string | undefined {
  const [, from, to, running = ''] = /^(\d{1,18}):(\d{1,18}):([\d,]*)$/.exec(text ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  const ids = running === '' ? [] : running.split(',');
  if (ids.some(id => !/^\d{1,18}$/.test(id))) return undefined;
  const numbers = [BigInt(from), ...ids.map(BigInt), BigInt(to)];
  if (BigInt(from) === 0n) return undefined;
  const isOrdered = numbers.every((number, index) => index === 0 || isAfter(numbers, index, number));
  return isOrdered ? text : undefined;
}

/** Running ids ascend without a repetition. The first may be `xmin`, and `xmax` may be `xmin`. */
function isAfter(numbers: readonly bigint[], index: number, number: bigint): boolean {
  const previous = numbers[index - 1] ?? 0n;
  const isAtEdge = index === 1;
  return isAtEdge ? number >= previous : number > previous;
}
