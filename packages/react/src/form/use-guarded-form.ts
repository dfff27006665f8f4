import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form';

/** What a submit answers when the server refused one field. */
export interface FieldRefusal<Values extends FieldValues> {
  readonly field: Path<Values>;
  readonly message: string;
}

export interface GuardedForm<Values extends FieldValues> extends UseFormReturn<Values> {
  /** For the form element. A submit during a submit does nothing. */
  readonly onSubmit: (event: React.SyntheticEvent) => void;
  readonly isSubmitting: boolean;
  /** Why the last submit failed as a whole, or undefined. */
  readonly failure: unknown;
}

interface GuardedFormOptions<Values extends FieldValues> {
  readonly defaultValues: DefaultValues<Values>;
  /** Sends the valid values. What it throws becomes the form's failure; nothing that was typed is lost. */
  readonly submit: (values: Values) => Promise<FieldRefusal<Values> | undefined>;
  /** Told when sending begins and ends. */
  readonly onSubmitting?: ((isSubmitting: boolean) => void) | undefined;
}

/**
 * The form of all our pages: validates on submit, moves the focus to the first field that is wrong, and sends one
 * request at a time. The guard is synchronous: two clicks of one frame are one request.
 */
export function useGuardedForm<Values extends FieldValues>(options: GuardedFormOptions<Values>): GuardedForm<Values> {
  const form = useForm<Values>({ defaultValues: options.defaultValues, reValidateMode: 'onSubmit' });
  const [failure, setFailure] = useState<unknown>();
  const [isSubmitting, setSubmitting] = useState(false);
  const isRunning = useRef(false);

  async function send(values: Values) {
    // At once: a user store renders synchronously, and must not find a form that does not know yet that it is sent.
    flushSync(() => {
      setFailure(undefined);
      setSubmitting(true);
      options.onSubmitting?.(true);
    });
    try {
      const refusal = await options.submit(values);
      if (refusal !== undefined) form.setError(refusal.field, { message: refusal.message }, { shouldFocus: true });
    } catch (error) {
      setFailure(error);
    } finally {
      setSubmitting(false);
      options.onSubmitting?.(false);
    }
  }

  async function submitOnce() {
    if (isRunning.current) return;
    isRunning.current = true;
    await form.handleSubmit(send)();
    isRunning.current = false;
  }

  function onSubmit(event: React.SyntheticEvent) {
    event.preventDefault();
    void submitOnce();
  }

  return { ...form, onSubmit, isSubmitting, failure };
}
