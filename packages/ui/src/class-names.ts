/** Joins class names in order and skips empty ones. */
function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

export { classNames };
