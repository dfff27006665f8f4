/** Joins class names in order and leaves out what is empty. */
function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

export { classNames };
