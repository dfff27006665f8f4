import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from './class-names.ts';

type Tab<Id extends string> = { id: Id; label: ReactNode; content: ReactNode };

type TabsProps<Id extends string> = {
  /** The name of the tab list, for screen readers. */
  label: string;
  /** The tab that is open initially. */
  initial: Id;
  tabs: readonly Tab<Id>[];
};

/** Panels of which one is visible. Arrow keys move between tabs. */
function Tabs<Id extends string>({ label, initial, tabs }: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [selectedId, select] = useState(initial);
  const selected = tabs.find(tab => tab.id === selectedId) ?? tabs[0];

  function followArrow(event: KeyboardEvent<HTMLElement>) {
    const step = arrowStep(event);
    if (step === 0 || selected === undefined) return;
    event.preventDefault();
    const index = (tabs.indexOf(selected) + step + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next === undefined) return;
    select(next.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  }

  return (
    <div className="tessera-tabs tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={followArrow}
        className="tss:flex tss:flex-wrap tss:gap-1 tss:rounded-lg tss:bg-muted tss:p-1"
      >
        {tabs.map(tab => {
          const isSelected = tab === selected;
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={isSelected}
              aria-controls={isSelected ? `${id}-panel` : undefined}
              tabIndex={isSelected ? 0 : -1}
              className={classNames(
                'tessera-tab tss:min-h-11 tss:flex-1 tss:cursor-pointer tss:rounded-md tss:border tss:px-3 tss:text-sm tss:font-medium',
                isSelected
                  ? 'tss:border-border tss:bg-card tss:text-card-foreground tss:elevation-button'
                  : 'tss:border-transparent tss:text-muted-foreground tss:hover:text-card-foreground',
              )}
              onClick={() => select(tab.id)}
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      {selected && (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${selected.id}`}
          className="tss:grid tss:min-w-0"
        >
          {selected.content}
        </div>
      )}
    </div>
  );
}

/** One tab forward or back. In right-to-left pages the arrow keys are reversed. */
function arrowStep({ key, currentTarget }: KeyboardEvent<HTMLElement>): -1 | 0 | 1 {
  const isRightToLeft = getComputedStyle(currentTarget).direction === 'rtl';
  if (key === 'ArrowRight') return isRightToLeft ? -1 : 1;
  if (key === 'ArrowLeft') return isRightToLeft ? 1 : -1;
  return 0;
}

export { type Tab, Tabs, type TabsProps };
