import { AddBook } from '../shelf/add-book.tsx';
import { BookRow } from '../shelf/book-row.tsx';
import { type Place, places } from '../shelf/shelf.ts';
import { useShelf } from '../shelf/use-shelf.ts';

/** The protected page: the user's books, by place. */
export function Shelf() {
  const { books, hasFailed, add, move, remove } = useShelf();

  return (
    <main className="page">
      <h1>Your shelf</h1>
      <AddBook add={add} />
      <p role="alert" className="problem">
        {hasFailed && 'That could not be saved. Check your connection and try again.'}
      </p>
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
                  move={to => void move(book.id, to)}
                  remove={() => void remove(book.id)}
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
