import { Button, FormSummary } from '@tessera/ui';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { errorWords } from '../words/error-words.ts';
import { useSay } from '../words/say.tsx';
import type { GuardedForm } from './use-guarded-form.ts';

interface FormFrameProps<Values extends FieldValues> {
  form: GuardedForm<Values>;
  /** What the button says. */
  submitText: string;
  children: ReactNode;
}

/** A form with its failure, its fields and its button. */
export function FormFrame<Values extends FieldValues>({ form, submitText, children }: FormFrameProps<Values>) {
  const say = useSay();

  return (
    // The method keeps a password out of the address, should the browser ever submit the form by itself.
    <form
      method="post"
      noValidate
      onSubmit={form.onSubmit}
      className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5"
    >
      {form.failure !== undefined && (
        <FormSummary title={errorWords(form.failure, say)}>{say('form.kept')}</FormSummary>
      )}
      <ProblemCount count={Object.keys(form.formState.errors).length} />
      {children}
      <Button type="submit" busy={form.isSubmitting} className="tss:w-full">
        {submitText}
      </Button>
    </form>
  );
}

/** Tells screen readers how much there is to correct; the fields say what. */
function ProblemCount({ count }: { count: number }) {
  const say = useSay();
  const text = count === 1 ? say('form.problem') : say('form.problems', { count });

  return (
    <p role="status" className="tss:sr-only">
      {count > 0 && text}
    </p>
  );
}
