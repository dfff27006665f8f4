import { useApp, useUser } from '@tessera/react';
import { useRef, useState } from 'react';
import { addBook, type Book, booksIn, moveBook, type Place, removeBook, withBooks } from './shelf.ts';

type Change = (books: readonly Book[]) => readonly Book[];

/** The books of the signed-in user. They are kept in the user's metadata, so this app needs no server of its own. */
export function useShelf() {
  const app = useApp();
  const user = useUser({ or: 'redirect' });
  const [unsaved, setUnsaved] = useState<readonly Change[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const lastSave = useRef<Promise<unknown>>(Promise.resolve());

  /** Shows the change at once, and reverts it when saving fails. */
  async function save(change: Change): Promise<boolean> {
    setUnsaved(changes => [...changes, change]);
    setFailed(false);
    const isSaved = lastSave.current
      .then(() => saveNow(change))
      .then(
        () => true,
        // For the user, all causes mean the same: the change is not saved.
        () => false,
      );
    lastSave.current = isSaved;
    if (!(await isSaved)) setFailed(true);
    setUnsaved(changes => changes.filter(other => other !== change));
    return isSaved;
  }

  /** Replaces all books, so it reads them first and runs after the save before it. */
  async function saveNow(change: Change): Promise<void> {
    const current = await app.getUser({ or: 'throw' });
    if (current.id !== user.id) throw new Error('Another user has signed in.');
    const { clientMetadata } = current;
    await current.update({ clientMetadata: withBooks(clientMetadata, change(booksIn(clientMetadata))) });
  }

  return {
    books: unsaved.reduce<readonly Book[]>((books, change) => change(books), booksIn(user.clientMetadata)),
    hasFailed,
    add: (book: Pick<Book, 'title' | 'note'>) => {
      const id = crypto.randomUUID();
      return save(books => addBook(books, book, id));
    },
    move: (id: string, place: Place) => save(books => moveBook(books, id, place)),
    remove: (id: string) => save(books => removeBook(books, id)),
  };
}
