import type { ImportField, Mapping } from '@tessera/client/import-file';

/**
 * The mapping after a choice. Several columns can be the name, in the order in which they were chosen. Any other field
 * has one column: another column with the field loses it.
 */
export function withColumn(mapping: Mapping, column: string, field: ImportField | undefined): Mapping {
  const others = Object.entries(mapping).filter(
    ([name, meaning]) => name !== column && (meaning !== field || field === 'display_name'),
  );
  return Object.fromEntries(field === undefined ? others : [...others, [column, field]]);
}
