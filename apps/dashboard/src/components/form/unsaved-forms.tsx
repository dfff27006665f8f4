import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { LeaveGuard } from './leave-guard.tsx';

const UnsavedForms = createContext<Set<object>>(new Set());

/** Asks before a page is left whose forms have unsaved changes. */
export function UnsavedFormsGuard({ children }: { readonly children: ReactNode }) {
  const [forms] = useState(() => new Set<object>());
  return (
    <UnsavedForms.Provider value={forms}>
      {children}
      <LeaveGuard isChanged={() => forms.size > 0} />
    </UnsavedForms.Provider>
  );
}

/** Tells the guard of the page whether a form has unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const forms = useContext(UnsavedForms);
  useEffect(() => {
    if (!isUnsaved) return;
    const form = {};
    forms.add(form);
    return () => void forms.delete(form);
  }, [forms, isUnsaved]);
}
