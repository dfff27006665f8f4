import { Field, Input } from '@tessera/ui';
import { useEffect, useState } from 'react';

const typingPauseMs = 250;

interface SearchFieldProps {
  readonly label: string;
  /** The text of the address. */
  readonly value: string | undefined;
  /** Called after a pause in typing; undefined for a blank text. Stable between renders. */
  readonly onSearch: (text: string | undefined) => void;
}

/** A search whose text is kept in the address. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value ?? '');

  // The address changed from outside: the palette, a link, the back button.
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if ((value ?? '') !== text.trim()) setText(value ?? '');
  }

  useEffect(() => {
    const wanted = text.trim() || undefined;
    if (wanted === value) return undefined;
    const timer = setTimeout(() => onSearch(wanted), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);

  return (
    <Field label={label}>
      <Input
        type="search"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={event => setText(event.target.value)}
      />
    </Field>
  );
}
