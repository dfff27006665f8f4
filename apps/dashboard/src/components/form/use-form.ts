import { useActionGuard } from '@tessera/react';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** The problem of each field that has one. */
export type FieldErrors<Values> = { readonly [Name in keyof Values]?: string | undefined };

interface FormOptions<Values extends object> {
  readonly initial: Values;
  /** Pure; an empty object means that the values can be sent. */
  readonly validate?: (values: Values) => FieldErrors<Values>;
  /** Rejections are shown above the form, which keeps its values. */
  readonly submit: (values: Values) => Promise<unknown>;
}

/** The state of a form. Problems of fields appear when the form is submitted, and disappear when the field changes. */
export interface Form<Values extends object> {
  readonly values: Values;
  readonly errors: FieldErrors<Values>;
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  /** Goes back to the initial values. */
  readonly reset: () => void;
  readonly isBusy: boolean;
  /** Whether a value differs from the initial one. */
  readonly isChanged: boolean;
  /** Why the last submission failed. */
  readonly failure: unknown;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** The one form helper of the dashboard. */
export function useForm<Values extends object>({ initial, validate, submit }: FormOptions<Values>): Form<Values> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<Values>>({});
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const guard = useActionGuard();

  async function run(form: HTMLFormElement) {
    if (isRunning.current) return;
    const problems = validate?.(values) ?? {};
    // Synchronous: a later focus would take the next key from the field that the user has gone to.
    flushSync(() => {
      setErrors(problems);
      setFailure(undefined);
    });
    if (Object.values(problems).some(problem => problem !== undefined)) {
      form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      return;
    }
    isRunning.current = true;
    setBusy(true);
    try {
      await guard(() => submit(values));
    } catch (error) {
      setFailure(error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }

  return {
    values,
    errors,
    failure,
    isBusy,
    isChanged: JSON.stringify(values) !== JSON.stringify(initial),
    set(name, value) {
      setValues(known => ({ ...known, [name]: value }));
      setErrors(known => ({ ...known, [name]: undefined }));
    },
    reset() {
      setValues(initial);
      setErrors({});
      setFailure(undefined);
    },
    onSubmit(event) {
      event.preventDefault();
      void run(event.currentTarget);
    },
  };
}
