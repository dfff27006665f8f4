/** The edits of a form whose values differ from the initial ones. */
export function changedFields<Values extends object>(initial: Values, edits: Partial<Values>): Partial<Values> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(initial[name as keyof Values]);
  return Object.fromEntries(Object.entries(edits).filter(isChanged)) as Partial<Values>;
}

/** The fields that have the names of these edits. */
export function pickFields<Fields extends object>(fields: Fields, edits: object): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(edits, name))) as Partial<Fields>;
}
