/** A path without slashes at its end. */
export function trimTrailingSlashes(path: string): string {
  return path.replace(/\/+$/, '');
}
