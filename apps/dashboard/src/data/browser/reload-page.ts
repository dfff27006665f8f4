const reloadedKey = 'tessera-reloaded';

/** What a reload needs of the browser. */
export interface ReloadDeps {
  readonly fetch: typeof fetch;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly reload: () => void;
}

/**
 * Loads the page again when the server answers. The browser may keep a failed import, and after an upgrade the files have
 * other names, so only a new page can load the code of a section that failed.
 */
export async function reloadPage(base: string, { fetch, reload }: ReloadDeps): Promise<'reloads' | 'server-down'> {
  if (!(await serverAnswers(base, fetch))) return 'server-down';
  reload();
  return 'reloads';
}

/** Whether the server sends a file of its own: a proxy in front of a stopped server answers with an error. */
export function serverAnswers(base: string, fetch: ReloadDeps['fetch']): Promise<boolean> {
  return fetch(`${base}favicon.svg`, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Like `reloadPage`, but once for each file that is missing, so that a page which fails again is not loaded for ever. */
export async function reloadOnce(
  base: string,
  missing: string,
  deps: ReloadDeps,
): Promise<'reloads' | 'server-down' | 'reloaded-before'> {
  if (deps.storage.getItem(reloadedKey) === missing) return 'reloaded-before';
  return reloadPage(base, {
    ...deps,
    reload() {
      deps.storage.setItem(reloadedKey, missing);
      deps.reload();
    },
  });
}

/** Whether an error is that of an import whose file did not arrive, in the words of each browser. */
export function isMissingCode(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/.test(
      error.message,
    )
  );
}
