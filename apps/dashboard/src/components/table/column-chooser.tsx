import { buttonClass, Checkbox } from '@tessera/ui';
import { Columns3 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { words } from '../../words.ts';
import type { Column } from './table-props.ts';

interface ColumnChooserProps<Row extends object> {
  readonly columns: readonly Column<Row>[];
  /** Ids of the columns that are left out. */
  readonly hidden: readonly string[];
  readonly onChange: (hidden: readonly string[]) => void;
}

/** Chooses which columns a table shows. Escape and a press beside it close it: its choices lie over the table. */
export function ColumnChooser<Row extends object>({ columns, hidden, onChange }: ColumnChooserProps<Row>) {
  const choices = columns.flatMap(({ id, meta }) =>
    id && meta?.chooserLabel ? [[id, meta.chooserLabel] as const] : [],
  );
  const details = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    // Not on blur: in Safari a click on a checkbox or a button moves no focus.
    const closeWhenPressedOutside = ({ target }: PointerEvent) => {
      if (details.current?.contains(target as Node) === false) details.current.open = false;
    };
    document.addEventListener('pointerdown', closeWhenPressedOutside);
    return () => document.removeEventListener('pointerdown', closeWhenPressedOutside);
  }, []);

  function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>) {
    if (event.key !== 'Escape' || !event.currentTarget.open) return;
    event.currentTarget.open = false;
    event.currentTarget.querySelector('summary')?.focus();
  }

  return (
    <details ref={details} className="tss:relative" onKeyDown={closeOnEscape}>
      <summary className={buttonClass({ variant: 'secondary', size: 'sm' }, 'tss:[&::-webkit-details-marker]:hidden')}>
        <Columns3 aria-hidden size={16} />
        {words.table.columns}
      </summary>
      <div className="tss:absolute tss:z-20 tss:mt-1 tss:min-w-56 tss:rounded-lg tss:border tss:border-border tss:bg-popover tss:px-4 tss:py-1 tss:text-popover-foreground tss:elevation-menu">
        {choices.map(([id, label]) => (
          <Checkbox
            key={id}
            label={label}
            checked={!hidden.includes(id)}
            onChange={event => onChange(event.target.checked ? hidden.filter(one => one !== id) : [...hidden, id])}
          />
        ))}
      </div>
    </details>
  );
}
