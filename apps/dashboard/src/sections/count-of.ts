/**
 * A number with its noun: `1 user`, `1,200 users`.
 *
 * @param one the words after the number 1
 * @param many the words after every other number
 */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
