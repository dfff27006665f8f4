import type { Family } from './row.ts';

type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer All) => void
  ? All
  : never;

/**
 * Joins the rows of several families into one catalogue.
 *
 * @throws TypeError when two families declare the same code.
 */
export function merge<const Families extends readonly Family[]>(families: Families): Intersection<Families[number]> {
  const merged: Record<string, unknown> = {};
  for (const [code, row] of families.flatMap(family => Object.entries(family))) {
    if (Object.hasOwn(merged, code)) throw new TypeError(`Error code declared twice: ${code}`);
    merged[code] = row;
  }
  return merged as Intersection<Families[number]>;
}
