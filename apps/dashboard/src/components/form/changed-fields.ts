/** The edits of a form whose values differ from the initial ones. */
export function changedFields<Values extends object>(initial: Values, edits: Partial<Values>): Partial<Values> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(initial[name as keyof Values]);
  return Object.fromEntries(Object.entries(edits).filter(isChanged)) as Partial<Values>;
}
