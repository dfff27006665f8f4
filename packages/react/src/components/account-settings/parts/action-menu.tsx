import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** An item of a menu. */
export interface MenuAction {
  readonly text: string;
}

interface ActionMenuProps<Action extends MenuAction> {
  id: string;
  label: string;
  actions: readonly Action[];
  /** The button that opened the menu. */
  trigger: RefObject<HTMLButtonElement | null>;
  /** The index of the item with the focus at first. -1 is the last one. */
  initial: 0 | -1;
  choose: (action: Action) => void;
  close: () => void;
}

/**
 * The menu of a button, open for as long as it is rendered. The keys are those of the menu button pattern of WAI-ARIA.
 * Radix's menu does the same at a multiple of the size, which the budget of the pages does not allow.
 */
export function ActionMenu<Action extends MenuAction>({ actions, trigger, ...menu }: ActionMenuProps<Action>) {
  const ref = useRef<HTMLDivElement>(null);
  usePlace(ref, trigger);
  useLayoutEffect(() => itemsOf(ref.current).at(menu.initial)?.focus({ preventScroll: true }), [menu.initial]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' || event.key === 'Tab') {
      // Tab continues from the button.
      trigger.current?.focus();
      return menu.close();
    }
    const items = itemsOf(ref.current);
    const next = nextIndex(
      event.key,
      items.findIndex(item => item.matches(':focus')),
      items.length,
    );
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  }

  return (
    <div
      ref={ref}
      id={menu.id}
      role="menu"
      aria-label={menu.label}
      // The top layer: no ancestor cuts the menu off.
      popover="manual"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onMouseDown={preventFocusChange}
      className="tessera-menu tss:fixed tss:inset-auto tss:z-1100 tss:m-0 tss:min-w-56 tss:max-w-80 tss:overflow-y-auto tss:rounded-lg tss:border tss:border-border tss:bg-popover tss:p-1 tss:text-popover-foreground tss:elevation-menu tss:outline-none tss:animate-appear tss:motion-reduce:animate-none"
    >
      {actions.map(action => (
        <button
          key={action.text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onPointerMove={event => event.currentTarget.focus({ preventScroll: true })}
          onClick={() => menu.choose(action)}
          className="tessera-menu-item tss:flex tss:min-h-11 tss:w-full tss:cursor-pointer tss:items-center tss:rounded-md tss:px-3 tss:py-2 tss:text-start tss:text-sm tss:outline-none tss:focus:bg-accent tss:focus:text-accent-foreground tss:forced-colors:focus:bg-[Highlight] tss:forced-colors:focus:text-[color:HighlightText]"
        >
          {action.text}
        </button>
      ))}
    </div>
  );
}

/** For `mousedown`: a press moves no focus. A menu that loses the focus closes before the click. */
export function preventFocusChange(event: MouseEvent): void {
  event.preventDefault();
}

/** The index that a key moves the focus to; undefined for other keys. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (index + 1) % count;
  if (key === 'ArrowUp') return index <= 0 ? count - 1 : index - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

const gapPx = 6;
const marginPx = 8;

/** Keeps the menu at its button, below it where there is space, and inside the window. */
function usePlace(ref: RefObject<HTMLElement | null>, trigger: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [menu, button] = [ref.current, trigger.current];
    if (menu === null || button === null) return;
    // Older browsers have no popovers. The menu is fixed there as well.
    menu.showPopover?.();

    function place() {
      if (menu === null || button === null) return;
      const at = button.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = menu;
      const isFromRight = getComputedStyle(button).direction === 'rtl';
      const left = isFromRight ? at.left : at.right - width;
      const below = at.bottom + gapPx;
      const fits = below + height + marginPx <= innerHeight;
      menu.style.left = `${Math.max(marginPx, Math.min(left, innerWidth - width - marginPx))}px`;
      menu.style.top = `${fits ? below : Math.max(marginPx, at.top - gapPx - height)}px`;
    }

    place();
    addEventListener('scroll', place, { capture: true, passive: true });
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place, { capture: true });
      removeEventListener('resize', place);
      menu.hidePopover?.();
    };
  }, [ref, trigger]);
}
