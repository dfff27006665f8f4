import { useQueryClient } from '@tanstack/react-query';
import { Field, Input } from '@tessera/ui';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { isId } from '../../data/search-params.ts';
import { userWithAddressQuery } from './queries.ts';
import { words } from './words.ts';

interface UserFilterProps {
  readonly label: string;
  /** The id of the user. */
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/**
 * A filter by user. An id filters as soon as it is complete; an email address is replaced by the id of its user when the
 * field is left, or with Enter.
 */
export function UserFilter({ label, value, onChange }: UserFilterProps) {
  const project = useProject();
  const queryClient = useQueryClient();
  const [text, setText] = useState(value ?? '');
  const [problem, setProblem] = useState<string>();
  const typed = useRef(text);

  // The address of the page changed from outside: a link, the back button, "Clear filters".
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value !== undefined || isId(text.trim())) setText(value ?? '');
  }

  function change(next: string) {
    typed.current = next;
    setText(next);
    setProblem(undefined);
    const id = isId(next.trim()) ? next.trim().toLowerCase() : undefined;
    if (id !== value) onChange(id);
  }

  async function complete() {
    const entry = text.trim();
    if (entry === '' || isId(entry)) return;
    if (!entry.includes('@')) return setProblem(words.notAUser);
    try {
      const user = await queryClient.fetchQuery(userWithAddressQuery(project, entry));
      if (isOld(entry)) return;
      if (user === null) return setProblem(words.noUserWithAddress);
      onChange(user.id);
    } catch (error) {
      if (!isOld(entry)) setProblem(problemWords(error));
    }
  }

  /** Whether something else was typed while the user of an entry was looked up. */
  function isOld(entry: string): boolean {
    return typed.current.trim() !== entry;
  }

  return (
    <Field label={label} error={problem}>
      <Input
        type="search"
        value={text}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onBlur={complete}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') void complete();
        }}
        onChange={event => change(event.target.value)}
      />
    </Field>
  );
}
