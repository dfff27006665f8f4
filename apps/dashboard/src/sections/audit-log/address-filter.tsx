import { Field, Input } from '@tessera/ui';
import { useState } from 'react';
import { readAddress } from '../../data/search-params.ts';
import { words } from './words.ts';

interface AddressFilterProps {
  /** A complete IP address. */
  readonly value: string | undefined;
  readonly onChange: (address: string | undefined) => void;
}

/** A filter by IP address. It filters as soon as the address is complete. */
export function AddressFilter({ value, onChange }: AddressFilterProps) {
  const [text, setText] = useState(value ?? '');
  const [wasLeft, setLeft] = useState(false);

  // The address of the page changed from outside: a link, the back button, "Clear filters".
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value !== readAddress(text)) setText(value ?? '');
  }

  function change(next: string) {
    setText(next);
    setLeft(false);
    const address = readAddress(next);
    if (address !== value) onChange(address);
  }

  return (
    <Field
      label={words.address}
      error={wasLeft && text.trim() !== '' && readAddress(text) === undefined && words.notAnAddress}
    >
      <Input
        type="search"
        value={text}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onBlur={() => setLeft(true)}
        onKeyDown={event => {
          if (event.key === 'Enter') setLeft(true);
        }}
        onChange={event => change(event.target.value)}
      />
    </Field>
  );
}
