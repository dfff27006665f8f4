import { useActionGuard } from '@tessera/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { changedFields, pickFields } from './changed-fields.ts';
import { showFailure } from './show-failure.ts';
import { unsavedWork } from './unsaved-work.ts';

/** The problem of each field that has one. */
export type FieldErrors<Values> = { readonly [Name in keyof Values]?: string | undefined };

/** Picks from fields to send those that the user has changed. */
export type OnlyChanged<Values> = <Fields extends { readonly [Name in keyof Values]?: unknown }>(
  fields: Fields,
) => Partial<Fields>;

interface FormOptions<Values extends object> {
  /** The stored values. A field that the user has not changed follows them, e.g. after a change of another admin. */
  readonly initial: Values;
  /** Pure; an empty object means that the values can be sent. */
  readonly validate?: (values: Values) => FieldErrors<Values>;
  /** Rejections are shown above the form, which keeps its values. */
  readonly submit: (values: Values, onlyChanged: OnlyChanged<Values>) => Promise<unknown>;
}

/** The state of a form. Problems of fields appear when the form is submitted, and disappear when the field changes. */
export interface Form<Values extends object> {
  readonly values: Values;
  readonly errors: FieldErrors<Values>;
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  /** Goes back to the initial values, after these were saved. What was typed while they were being saved stays. */
  readonly reset: () => void;
  readonly isBusy: boolean;
  /** Whether a value differs from the initial one; blanks around a text are no difference. */
  readonly isChanged: boolean;
  /** Why the last submission failed. */
  readonly failure: unknown;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** The one form helper of the dashboard. */
export function useForm<Values extends object>({ initial, validate, submit }: FormOptions<Values>): Form<Values> {
  const [edits, setEdits] = useState<Partial<Values>>({});
  const [errors, setErrors] = useState<FieldErrors<Values>>({});
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const guard = useActionGuard();
  const changed = changedFields(initial, edits);
  const values = { ...initial, ...changed };
  // A stored value is no longer an edit: otherwise it would undo a later change of another admin.
  if (Object.keys(changed).length < Object.keys(edits).length) setEdits(changed);
  const isChanged = Object.keys(changedFields(initial, trimTexts(changed))).length > 0;
  // Every form is kept when the session ends. `DialogForm` and `SettingsForm` also ask before their page is left.
  useEffect(() => (isChanged ? unsavedWork.watch(() => true) : undefined), [isChanged]);

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
      await guard(() => submit(values, fields => pickFields(fields, changed)));
    } catch (error) {
      if (form.isConnected) setFailure(error);
      else await showFailure(error);
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
    isChanged,
    set(name, value) {
      setEdits(known => ({ ...known, [name]: value }));
      setErrors(known => ({ ...known, [name]: undefined }));
    },
    reset() {
      setEdits(known => changedFields(values, known));
      setErrors({});
      setFailure(undefined);
    },
    onSubmit(event) {
      event.preventDefault();
      void run(event.currentTarget);
    },
  };
}

/** Most forms store their texts without these blanks, and their fields still have them afterwards. */
function trimTexts<Values extends object>(values: Values): Values {
  const trim = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, trim(value)])) as Values;
}
