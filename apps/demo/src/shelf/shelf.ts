import type { Json } from '@tessera/client';

/** The place of a book on the shelf. */
export type Place = 'to-read' | 'reading' | 'finished';

/** A book, or anything else to read. */
export interface Book {
  readonly id: string;
  readonly title: string;
  /** Who recommended it, or a link; may be empty. */
  readonly note: string;
  readonly place: Place;
}

/** The places of a shelf, in order, with their labels. */
export const places: Record<Place, string> = { 'to-read': 'To read', reading: 'Reading', finished: 'Finished' };

/** Reads the books from a user's metadata. Entries in another format are left out. */
export function booksIn(metadata: Json): readonly Book[] {
  const { shelf } = asRecord(metadata);
  return Array.isArray(shelf) ? shelf.flatMap(readBook) : [];
}

/** The metadata with these books. Other keys are unchanged. */
export function withBooks(metadata: Json, books: readonly Book[]): Json {
  return { ...asRecord(metadata), shelf: books.map(book => ({ ...book })) };
}

/** The books with a new one in front, unless it is among them. */
export function addBook(
  books: readonly Book[],
  { title, note }: Pick<Book, 'title' | 'note'>,
  id: string,
): readonly Book[] {
  if (books.some(book => book.id === id)) return books;
  return [{ id, title: title.trim(), note: note.trim(), place: 'to-read' }, ...books];
}

/** The books with one of them moved. */
export function moveBook(books: readonly Book[], id: string, place: Place): Book[] {
  return books.map(book => (book.id === id ? { ...book, place } : book));
}

/** The books without one of them. */
export function removeBook(books: readonly Book[], id: string): Book[] {
  return books.filter(book => book.id !== id);
}

/** Whether a note is a link that is safe to open. */
export function isLink(note: string): boolean {
  return /^https?:\/\/\S+$/.test(note) && URL.canParse(note);
}

function readBook(value: Json): Book[] {
  const { id, title, note, place } = asRecord(value);
  if (typeof id !== 'string' || typeof title !== 'string' || !isPlace(place)) return [];
  return [{ id, title, note: typeof note === 'string' ? note : '', place }];
}

function isPlace(value: Json | undefined): value is Place {
  return typeof value === 'string' && Object.hasOwn(places, value);
}

function asRecord(value: Json): { readonly [key: string]: Json | undefined } {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as { readonly [key: string]: Json | undefined }) : {};
}
