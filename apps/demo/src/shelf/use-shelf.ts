import { type CurrentUser, useApp } from '@tessera/react';
import { type Change, useChanges } from '../use-changes.ts';
import { addBook, type Book, booksIn, moveBook, type Place, removeBook, withBooks } from './shelf.ts';

/** The books of the signed-in user. They are kept in the user's metadata, so this app needs no server of its own. */
export function useShelf(user: CurrentUser) {
  const app = useApp();
  const { shown, failure, change, retry } = useChanges(booksIn(user.clientMetadata), save);

  /** The list is replaced as a whole, so it is read first. */
  async function save(next: Change<readonly Book[]>): Promise<void> {
    const current = await app.getUser({ or: 'throw' });
    if (current.id !== user.id) throw new Error('Another user has signed in.');
    const { clientMetadata } = current;
    await current.update({ clientMetadata: withBooks(clientMetadata, next(booksIn(clientMetadata))) });
  }

  return {
    books: shown,
    // For the user, all causes mean the same: the change is not saved.
    hasFailed: failure !== undefined,
    retry,
    add: (book: Pick<Book, 'title' | 'note'>) => {
      const id = crypto.randomUUID();
      change(books => addBook(books, book, id));
    },
    move: (id: string, place: Place) => change(books => moveBook(books, id, place)),
    remove: (id: string) => change(books => removeBook(books, id)),
  };
}
