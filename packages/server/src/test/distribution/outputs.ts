import type { EqualValues } from './equal-values.ts';
import type { Output } from './scope.ts';
import { type Node, namesIn } from './tree.ts';

/** The rows of two queries with the same columns (`union`). */
export function uniteOutputs(one: Output, other: Output, values: EqualValues): Output {
  const list = one.list.map((value, index) => values.common(value, other.list[index]));
  const columns = [...one.columns].map(([name, value]): [string, number] => [
    name,
    list[one.list.indexOf(value)] ?? values.create(),
  ]);
  return { columns: new Map(columns), all: [], list };
}

/** The same rows with the column names of an alias, when it has some. */
export function renameColumns(output: Output, names: readonly Node[] = [], values: EqualValues): Output {
  if (names.length === 0) return output;
  const columns = namesIn(names).map((name, index): [string, number] => [name, output.list[index] ?? values.create()]);
  return { ...output, columns: new Map(columns) };
}
