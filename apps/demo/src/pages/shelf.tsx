import '../shelf/shelf.css';
import { type CurrentUser, useUser } from '@tessera/react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { AddBook } from '../shelf/add-book.tsx';
import { BookRow, placeId } from '../shelf/book-row.tsx';
import { type Place, places } from '../shelf/shelf.ts';
import { useShelf } from '../shelf/use-shelf.ts';
import { Unsaved } from '../unsaved.tsx';

/** The protected page: the user's books, by place. */
export function Shelf() {
  const user = useUser({ or: 'redirect' });
  // Unsaved changes belong to one user.
  return <Books key={user.id} user={user} />;
}

function Books({ user }: { user: CurrentUser }) {
  const { books, hasFailed, retry, add, move, remove } = useShelf(user);
  const heading = useRef<HTMLHeadingElement>(null);

  // The row is created again in the list of its new place. The focus follows it.
  function moveBook(id: string, to: Place) {
    flushSync(() => move(id, to));
    document.getElementById(placeId(id))?.focus();
  }

  // The focus would be lost with the button.
  function removeBook(id: string) {
    remove(id);
    heading.current?.focus({ preventScroll: true });
  }

  return (
    <main className="page">
      <h1 ref={heading} tabIndex={-1}>
        Your shelf
      </h1>
      <AddBook add={add} />
      <Unsaved text={hasFailed ? 'Your last changes are not saved yet. Check your connection.' : ''} retry={retry} />
      {books.length === 0 && <EmptyShelf />}
      {(Object.keys(places) as Place[]).map(place => {
        const here = books.filter(book => book.place === place);
        if (here.length === 0) return null;
        return (
          <section key={place}>
            <h2>
              {places[place]} <span className="count">{here.length}</span>
            </h2>
            <ul className="books">
              {here.map(book => (
                <BookRow
                  key={book.id}
                  book={book}
                  move={to => moveBook(book.id, to)}
                  remove={() => removeBook(book.id)}
                />
              ))}
            </ul>
          </section>
        );
      })}
    </main>
  );
}

function EmptyShelf() {
  return (
    <div className="empty">
      <p>
        <strong>Nothing here yet.</strong>
      </p>
      <p>What did you last hear about and think: I should read that?</p>
    </div>
  );
}
