import { Button, Ellipsis } from '@tessera/ui';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslate } from '../../../words/translate.tsx';
import { ActionMenu, preventFocusChange } from './action-menu.tsx';
import { Question } from './confirm-button.tsx';

/** One action of a row. With a question it asks first. */
export interface RowAction {
  readonly text: string;
  readonly act: () => unknown;
  readonly question?: { readonly title: string; readonly consequence: ReactNode } | undefined;
}

interface RowMenuProps {
  /** The name of the row, for the accessible name of the button. */
  of: string;
  actions: readonly RowAction[];
}

/** The actions of a row behind one button. An action that is not possible is left out. */
export function RowMenu({ of, actions }: RowMenuProps) {
  const label = useTranslate()('row.actions', { name: of });
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const [initial, setInitial] = useState<0 | -1>();
  const [asked, setAsked] = useState<RowAction>();
  if (actions.length === 0) return null;

  const isOpen = initial !== undefined;
  const close = () => setInitial(undefined);

  function closeQuestion() {
    setAsked(undefined);
    trigger.current?.focus();
  }

  function choose(action: RowAction) {
    close();
    // Before the action, which may move the focus into a dialog or a form.
    trigger.current?.focus();
    if (action.question === undefined) action.act();
    else setAsked(action);
  }

  function openByKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setInitial(event.key === 'ArrowDown' ? 0 : -1);
  }

  function closeWhenLeft(event: FocusEvent<HTMLElement>) {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: not a control; the menu closes when the focus leaves this group */}
      <div onBlur={closeWhenLeft}>
        <Button
          ref={trigger}
          variant="quiet"
          size="icon"
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onMouseDown={preventFocusChange}
          onClick={() => setInitial(isOpen ? undefined : 0)}
          onKeyDown={openByKey}
        >
          <Ellipsis className="tss:size-5" />
        </Button>
        {isOpen && (
          <ActionMenu
            id={id}
            label={label}
            actions={actions}
            trigger={trigger}
            initial={initial}
            choose={choose}
            close={close}
          />
        )}
      </div>
      {asked?.question && (
        <Question
          text={asked.text}
          question={asked.question.title}
          consequence={asked.question.consequence}
          mustTick={undefined}
          act={async () => void (await asked.act())}
          close={closeQuestion}
        />
      )}
    </>
  );
}
