type FilledTableModule = typeof import('./filled-table.tsx');

let loaded: FilledTableModule | undefined;

/** The code of the rows, when it is loaded. */
export function loadedFilledTable(): FilledTableModule | undefined {
  return loaded;
}

/** Loads the code of the rows. @throws when it cannot be loaded */
export async function loadFilledTable(): Promise<FilledTableModule> {
  loaded ??= await import('./filled-table.tsx');
  return loaded;
}
