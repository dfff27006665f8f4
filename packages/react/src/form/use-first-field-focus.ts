import { type RefObject, useEffect, useRef } from 'react';
import { useIsFullPage } from '../components/cards/surface.tsx';

/**
 * Focuses the first field of a form that a full page opens with. Not on touch, where the keyboard would cover the page, and
 * not when the visitor has focused something already.
 *
 * @returns the ref of the form
 */
export function useFirstFieldFocus(opensPage: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const takesFocus = useIsFullPage() && opensPage;

  useEffect(() => {
    if (!takesFocus || !matchMedia('(pointer: fine)').matches) return;
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) return;
    form.current?.querySelector<HTMLInputElement>('input:not([type=hidden], [readonly])')?.focus();
  }, [takesFocus]);

  return form;
}

/**
 * Focuses the first field of a form in a dialog whenever the dialog goes to another step, or its button when the step has
 * no field. The browser focuses only what the dialog shows when it opens.
 */
export function useStepFocus(form: RefObject<HTMLFormElement | null>, step: string | undefined): void {
  useEffect(() => {
    if (step === undefined) return;
    form.current?.querySelector<HTMLElement>('input:not([type=hidden], [readonly]), [type=submit]')?.focus();
  }, [form, step]);
}
