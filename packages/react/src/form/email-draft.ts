/** The address that is being typed, kept in this tab so that a reload, or going from sign-in to sign-up, keeps it. */
export interface EmailDraft {
  read(): string;
  write(email: string): void;
  clear(): void;
}

/** Passwords are never kept. */
export function emailDraft(projectId: string): EmailDraft {
  const key = `tessera.email-draft.${projectId}`;
  return {
    read: () => tryStorage(storage => storage.getItem(key)) ?? '',
    write: email => void tryStorage(storage => storage.setItem(key, email)),
    clear: () => void tryStorage(storage => storage.removeItem(key)),
  };
}

/** Browsers that block storage throw on touching it; a draft is not worth an error. */
function tryStorage<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException || error instanceof ReferenceError) return undefined;
    throw error;
  }
}
