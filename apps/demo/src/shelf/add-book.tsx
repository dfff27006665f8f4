import { type FormEvent, useRef, useState } from 'react';
import type { Book } from './shelf.ts';

interface AddBookProps {
  add: (book: Pick<Book, 'title' | 'note'>) => void;
}

/** The form for a new book. */
export function AddBook({ add }: AddBookProps) {
  const [title, setTitle] = useState('');
  const [note, setNote] = useState('');
  const titleInput = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (title.trim() === '') return titleInput.current?.focus();

    add({ title, note });
    setTitle('');
    setNote('');
    titleInput.current?.focus();
  }

  return (
    <form className="add-book" onSubmit={submit}>
      <label>
        Title
        <input ref={titleInput} value={title} maxLength={200} onChange={event => setTitle(event.target.value)} />
      </label>
      <label>
        Link, or who told you (optional)
        <input value={note} maxLength={300} onChange={event => setNote(event.target.value)} />
      </label>
      <button type="submit" className="button">
        Add
      </button>
    </form>
  );
}
