import { Field, Input } from '@tessera/ui';
import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { TextArea } from '../../../components/form/text-area.tsx';
import { words } from './words.ts';

interface VariableFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The names of the variables that can be inserted. */
  readonly variables: readonly string[];
  readonly isLong?: boolean;
  readonly isReadOnly?: boolean;
}

/** A text with variables. A chip inserts its variable at the cursor. */
export function VariableField(props: VariableFieldProps) {
  const { label, description, value, onChange, variables, isLong = false, isReadOnly = false } = props;
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);

  function insert(name: string) {
    const input = control.current;
    const [start, end] = [input?.selectionStart ?? value.length, input?.selectionEnd ?? value.length];
    const inserted = `{{${name}}}`;
    // Synchronous: the cursor needs the new text.
    flushSync(() => onChange(value.slice(0, start) + inserted + value.slice(end)));
    input?.focus();
    input?.setSelectionRange(start + inserted.length, start + inserted.length);
  }

  const common = {
    ref: control,
    value,
    readOnly: isReadOnly,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-2">
      <Field label={label} description={description}>
        {isLong ? <TextArea {...common} rows={3} /> : <Input {...common} autoComplete="off" />}
      </Field>
      {!isReadOnly && variables.length > 0 && (
        <fieldset
          aria-label={`${words.variables}: ${label}`}
          className="tss:m-0 tss:min-w-0 tss:border-0 tss:p-0 tss:flex tss:flex-wrap tss:gap-1.5"
        >
          {variables.map(name => (
            <button
              key={name}
              type="button"
              aria-label={words.insert(name)}
              className="tss:min-h-7 tss:cursor-pointer tss:rounded-full tss:border tss:border-border tss:bg-muted tss:px-2.5 tss:font-mono tss:text-xs tss:wrap-anywhere tss:hover:bg-accent"
              onClick={() => insert(name)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
