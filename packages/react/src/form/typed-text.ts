import { createContext, type RefObject, useContext, useEffect } from 'react';

/** A text that was typed into a field with this label. */
export interface TypedText {
  readonly label: string;
  readonly text: string;
}

/** Receives what is typed in a form that is removed. */
export const TypedTextContext = createContext<((texts: readonly TypedText[]) => void) | undefined>(undefined);

/** Reports the typed texts of a form that is removed to the part of the page around it. */
export function useReportedText(form: RefObject<HTMLFormElement | null>): void {
  const report = useContext(TypedTextContext);

  useEffect(() => {
    const { current } = form;
    return () => report?.(typedTexts(current));
  }, [form, report]);
}

/** The changed values of the fields. Passwords and codes are secret, also while a password is shown as text. */
function typedTexts(form: HTMLFormElement | null): TypedText[] {
  const fields = form?.querySelectorAll<HTMLInputElement>(
    'input:is([type=text], [type=email]):not([autocomplete*=password], [autocomplete=one-time-code])',
  );
  return [...(fields ?? [])]
    .filter(({ value, defaultValue }) => value !== defaultValue && value.trim() !== '')
    .map(({ id, value }) => ({ label: form?.querySelector(`[for="${id}"]`)?.textContent ?? '', text: value }));
}
