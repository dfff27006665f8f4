import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { LeaveGuard } from './leave-guard.tsx';

/** The unsaved forms of the page, and of the dialog that the component is in. */
const UnsavedForms = createContext<readonly Set<object>[]>([]);

/** Asks before a page is left whose forms have unsaved changes. */
export function UnsavedFormsGuard({ children }: { readonly children: ReactNode }) {
  const [forms] = useState(() => new Set<object>());
  return (
    <UnsavedFormsScope forms={forms}>
      {children}
      <LeaveGuard isChanged={() => forms.size > 0} />
    </UnsavedFormsScope>
  );
}

interface UnsavedFormsScopeProps {
  /** Holds an object for each form inside that has unsaved changes. */
  readonly forms: Set<object>;
  readonly children: ReactNode;
}

export function UnsavedFormsScope({ forms, children }: UnsavedFormsScopeProps) {
  const outer = useContext(UnsavedForms);
  const [scopes] = useState([...outer, forms]);
  return <UnsavedForms.Provider value={scopes}>{children}</UnsavedForms.Provider>;
}

/** Tells the guards of the dialog and of the page whether a form has unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const scopes = useContext(UnsavedForms);
  useEffect(() => {
    if (!isUnsaved) return;
    const form = {};
    for (const forms of scopes) forms.add(form);
    return () => {
      for (const forms of scopes) forms.delete(form);
    };
  }, [scopes, isUnsaved]);
}
