import type { ReactNode } from 'react';
import { useRole } from '../../data/owner.tsx';

/** The controls of a change. They are disabled for a viewer, who could fill them in but not save them. */
export function ChangeFields({ children }: { readonly children: ReactNode }) {
  return (
    <fieldset disabled={useRole() === 'viewer'} className="tss:contents">
      {children}
    </fieldset>
  );
}
