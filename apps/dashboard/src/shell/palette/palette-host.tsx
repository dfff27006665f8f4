import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useEffect, useRef, useState } from 'react';
import { addKey, nothingTyped, type TypedKeys } from './typed-keys.ts';

const CommandPalette = lazy(() => import('./command-palette.tsx'));

const PaletteContext = createContext<() => void>(() => undefined);

/** The keys that open the palette, as the keyboard of this machine names them. */
export const paletteKeys = /^(Mac|iP)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** Opens the command palette. */
export function useOpenPalette(): () => void {
  return use(PaletteContext);
}

/**
 * Opens the command palette with Ctrl K or Command K. Its code is loaded at the first use. Keys that are typed until its field
 * has the focus are kept for it: on a slow machine, half a word would go to the page.
 */
export function PaletteHost({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const typed = useRef<TypedKeys>(undefined);

  const open = useCallback(() => {
    typed.current = nothingTyped;
    setOpen(true);
  }, []);
  const close = useCallback(() => {
    typed.current = undefined;
    setOpen(false);
  }, []);

  useEffect(() => {
    const onTyped = (event: KeyboardEvent, known: TypedKeys) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      const next = addKey(known, event.key);
      if (event.key === 'Escape') close();
      else if (next === undefined) return;
      else typed.current = next;
      event.preventDefault();
      event.stopPropagation();
    };
    const onKey = (event: KeyboardEvent) => {
      // With Shift or Alt the keys belong to the browser.
      const isShortcut = !event.shiftKey && !event.altKey && (event.metaKey || event.ctrlKey);
      if (!isShortcut || event.key.toLowerCase() !== 'k') {
        if (typed.current !== undefined) onTyped(event, typed.current);
        return;
      }
      event.preventDefault();
      if (isOpen || typed.current !== undefined) close();
      else open();
    };
    // Before the handlers of the page.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, open, close]);

  return (
    <PaletteContext value={open}>
      {children}
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette typed={typed} onClose={close} />
        </Suspense>
      )}
    </PaletteContext>
  );
}
