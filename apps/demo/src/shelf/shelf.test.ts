import { describe, expect, it } from 'vitest';
import { addBook, type Book, booksIn, isLink, moveBook, removeBook, withBooks } from './shelf.ts';

const book: Book = { id: '1', title: 'Piranesi', note: 'Jo', place: 'reading' };

describe('shelf', () => {
  it('is stored in the metadata and keeps the data of other apps', () => {
    const metadata = withBooks({ colour: 'green' }, [book]);
    expect(metadata).toEqual({ colour: 'green', shelf: [book] });
    expect(booksIn(metadata)).toEqual([book]);
  });

  it.each([null, 'text', [], {}, { shelf: 'text' }, { shelf: [null, { id: 1 }, { id: '1', title: 't', place: 'x' }] }])(
    'is empty for the metadata %j',
    metadata => expect(booksIn(metadata)).toEqual([]),
  );

  it('adds new books in front, moves and removes them', () => {
    const two = addBook([book], { title: ' Middlemarch ', note: '' }, '2');
    expect(two).toEqual([{ id: '2', title: 'Middlemarch', note: '', place: 'to-read' }, book]);
    expect(moveBook(two, '2', 'finished')[0]?.place).toBe('finished');
    expect(removeBook(two, '2')).toEqual([book]);
    expect(addBook(two, { title: 'Middlemarch', note: '' }, '2')).toEqual(two);
  });

  it('opens only web addresses', () => {
    expect(['https://a.example/b', 'http://a.example'].every(isLink)).toBe(true);
    expect(['javascript:alert(1)', 'a.example', 'https://a b', 'https://['].some(isLink)).toBe(false);
  });
});
