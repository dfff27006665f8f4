/** One string in the browser's storage: in this tab (`session`), or for all tabs and visits (`local`). */
export interface StoredString {
  read(): string | undefined;
  write(text: string): void;
  clear(): void;
}

/** Browsers that block storage throw on access. The stored values are optional, so the error is ignored. */
export function openStorage(where: 'session' | 'local', key: string): StoredString {
  const storage = () => (where === 'session' ? sessionStorage : localStorage);
  return {
    read: () => attempt(() => storage().getItem(key)) ?? undefined,
    write: text => void attempt(() => storage().setItem(key, text)),
    clear: () => void attempt(() => storage().removeItem(key)),
  };
}

function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof DOMException || error instanceof ReferenceError) return undefined;
    throw error;
  }
}
