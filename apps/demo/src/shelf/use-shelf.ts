import { useUser } from '@tessera/react';
import { useState } from 'react';
import { addBook, type Book, booksIn, moveBook, type Place, removeBook, withBooks } from './shelf.ts';

/** The books of the signed-in user. They are kept in the user's metadata, so this app needs no server of its own. */
export function useShelf() {
  const user = useUser({ or: 'redirect' });
  const [pending, setPending] = useState<readonly Book[]>();
  const [hasFailed, setFailed] = useState(false);
  const books = pending ?? booksIn(user.clientMetadata);

  /** Shows the change at once, and reverts it when saving fails. */
  async function save(changed: readonly Book[]): Promise<boolean> {
    setPending(changed);
    setFailed(false);
    try {
      await user.update({ clientMetadata: withBooks(user.clientMetadata, changed) });
      return true;
    } catch {
      // For the user, all causes mean the same: the change is not saved.
      setFailed(true);
      return false;
    } finally {
      setPending(undefined);
    }
  }

  return {
    books,
    hasFailed,
    add: (book: Pick<Book, 'title' | 'note'>) => save(addBook(books, book, crypto.randomUUID())),
    move: (id: string, place: Place) => save(moveBook(books, id, place)),
    remove: (id: string) => save(removeBook(books, id)),
  };
}
