import { Button } from '@tessera/ui';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';

/** What the loaded menu gets: it opens at once, because the click that loaded it asked for it. */
export interface LoadedMenuProps {
  readonly defaultOpen: true;
  readonly trigger: ReactNode;
}

interface LazyMenuProps {
  /** The content of the button. */
  readonly children: ReactNode;
  readonly className: string;
  /** Made with `lazy`, so that the code of menus is not part of the first load. */
  readonly Menu: ComponentType<LoadedMenuProps>;
}

/** A button with a menu whose code is loaded at the first use. */
export function LazyMenu({ children, className, Menu }: LazyMenuProps) {
  const [isUsed, setUsed] = useState(false);
  const look = { variant: 'quiet', className } as const;
  const waiting = (
    <Button {...look} aria-haspopup="menu" aria-expanded={false} busy={isUsed} onClick={() => setUsed(true)}>
      {children}
    </Button>
  );
  if (!isUsed) return waiting;
  return (
    <Suspense fallback={waiting}>
      <Menu defaultOpen trigger={<Button {...look}>{children}</Button>} />
    </Suspense>
  );
}
