import { type Book, isLink, type Place, places } from './shelf.ts';

interface BookRowProps {
  book: Book;
  move: (place: Place) => void;
  remove: () => void;
}

/** The id of the element that shows and changes the place of a book. */
export const placeId = (bookId: string) => `place-${bookId}`;

/** A book with its actions. */
export function BookRow({ book, move, remove }: BookRowProps) {
  return (
    <li className="book">
      <div>
        <strong>{book.title}</strong>
        {book.note && <small>{isLink(book.note) ? <NoteLink url={book.note} /> : book.note}</small>}
      </div>
      <select
        id={placeId(book.id)}
        aria-label={`Place of ${book.title}`}
        value={book.place}
        onChange={event => move(event.target.value as Place)}
      >
        {Object.entries(places).map(([place, words]) => (
          <option key={place} value={place}>
            {words}
          </option>
        ))}
      </select>
      <button type="button" className="icon-button" aria-label={`Remove ${book.title}`} onClick={remove}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m6 6 12 12M18 6 6 18" />
        </svg>
      </button>
    </li>
  );
}

function NoteLink({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {new URL(url).host}
    </a>
  );
}
