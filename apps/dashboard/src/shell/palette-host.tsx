import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react';

const CommandPalette = lazy(() => import('./command-palette.tsx'));

const PaletteContext = createContext<() => void>(() => undefined);

/** The keys that open the palette, as the keyboard of this machine names them. */
export const paletteKeys = /^(Mac|iP)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** Opens the command palette. */
export function useOpenPalette(): () => void {
  return use(PaletteContext);
}

/** Opens the command palette with Ctrl K or Command K. Its code is loaded at the first use. */
export function PaletteHost({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // With Shift or Alt the keys belong to the browser.
      if (event.shiftKey || event.altKey || !(event.metaKey || event.ctrlKey)) return;
      if (event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setOpen(open => !open);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const open = useMemo(() => () => setOpen(true), []);
  return (
    <PaletteContext value={open}>
      {children}
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </PaletteContext>
  );
}
