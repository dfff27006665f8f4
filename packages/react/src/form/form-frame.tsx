import { Actions, Button } from '@tessera/ui';
import type { ReactNode } from 'react';
import { useTranslate } from '../words/translate.tsx';
import { FormFailure } from './form-failure.tsx';
import { useReportedText } from './typed-text.ts';
import { useFirstFieldFocus, useStepFocus } from './use-first-field-focus.ts';
import type { GuardedForm } from './use-guarded-form.ts';

interface FormFrameProps {
  form: Omit<GuardedForm<never>, 'field'>;
  /** The text of the submit button. */
  submitText: string;
  /** Whether the first field takes the focus when the page opens. */
  opensPage?: boolean | undefined;
  /** The step that an action has led to. At each new step the first field takes the focus. */
  step?: string | undefined;
  /** Discards the input. Without it there is no cancel button. A form that has one was opened by an action: a step. */
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}

/** A form with its failure, fields and buttons. */
export function FormFrame({ form, submitText, opensPage = false, step, onCancel, children }: FormFrameProps) {
  const translate = useTranslate();
  const element = useFirstFieldFocus(opensPage);
  useStepFocus(element, step ?? (onCancel && ''));
  useReportedText(element);

  return (
    // The method keeps a password out of the URL, should the browser ever submit the form natively.
    <form
      ref={element}
      method="post"
      noValidate
      onSubmit={form.onSubmit}
      onInput={form.onInput}
      className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5"
    >
      <FormFailure of={form.failure} />
      <ProblemCount count={form.problemCount} />
      {children}
      <Actions>
        {onCancel && (
          <Button variant="secondary" className="tss:flex-auto" onClick={onCancel}>
            {translate('action.cancel')}
          </Button>
        )}
        <Button type="submit" busy={form.isSubmitting} className="tss:flex-auto">
          {submitText}
        </Button>
      </Actions>
    </form>
  );
}

/** Announces the number of problems to screen readers; the fields show them. */
function ProblemCount({ count }: { count: number }) {
  const translate = useTranslate();
  const text = count === 1 ? translate('form.problem') : translate('form.problems', { count });

  return (
    <p role="status" className="tss:sr-only">
      {count > 0 && text}
    </p>
  );
}
