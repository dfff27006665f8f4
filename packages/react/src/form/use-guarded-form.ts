import { type FormEvent, type SyntheticEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslate } from '../words/translate.tsx';
import type { WordKey } from '../words/words.ts';
import { useActionGuard } from './action-guard.ts';
import { passwordLengths } from './password-rule.ts';

/** The values of a form at submit, by field name. */
export type FormValues<Name extends string> = Readonly<Record<Name, string>>;

/** The problem of a field, or undefined. */
export type FieldRule<Name extends string> = (value: string, values: FormValues<Name>) => WordKey | undefined;

/** The result of a submit when the server refused one field. */
export interface FieldRefusal<Name extends string> {
  readonly field: Name;
  readonly message: string;
}

/** For a field: its name in the form, and its problem. */
export interface FormField {
  readonly name: string;
  readonly error: string | undefined;
}

export interface GuardedForm<Name extends string> {
  /** For the form element. A submit during a submit is ignored. */
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** For the form element: typing clears the problem of the field. */
  readonly onInput: (event: SyntheticEvent) => void;
  readonly field: (name: Name) => FormField;
  readonly problemCount: number;
  readonly isSubmitting: boolean;
  /** Why the last submit failed as a whole, or undefined. */
  readonly failure: unknown;
}

interface GuardedFormOptions<Name extends string> {
  /** A rule for every field, in the order of the fields. */
  readonly rules: Readonly<Record<Name, FieldRule<NoInfer<Name>>>>;
  /** Sends the valid values. A rejection becomes the failure of the form; the input is kept. */
  readonly submit: (values: FormValues<NoInfer<Name>>) => Promise<FieldRefusal<NoInfer<Name>> | undefined>;
  /** Called after a submit without refusal, unless the form was closed meanwhile: its place may show a new one. */
  readonly done?: ((form: HTMLFormElement, values: FormValues<NoInfer<Name>>) => void) | undefined;
  /** Fields whose problem is cleared too when another one changes. */
  readonly clearedBy?: Readonly<Partial<Record<NoInfer<Name>, readonly NoInfer<Name>[]>>>;
}

type Problems<Name extends string> = Partial<Record<Name, string>>;

/**
 * The form of all our pages: validates on submit, moves the focus to the first invalid field, and sends one request at a
 * time. The guard is synchronous: two clicks in one frame are one request. The values stay in the elements, where
 * password managers write them.
 */
export function useGuardedForm<Name extends string>(options: GuardedFormOptions<Name>): GuardedForm<Name> {
  const translate = useTranslate();
  const guard = useActionGuard();
  const [problems, setProblems] = useState<Problems<Name>>({});
  const [failure, setFailure] = useState<unknown>();
  const [isSubmitting, setSubmitting] = useState(false);
  const isRunning = useRef(false);

  function problemsOf(values: FormValues<Name>): Problems<Name> {
    const found = namesOf(options.rules).flatMap(name => {
      const problem = options.rules[name](values[name], values);
      return problem === undefined ? [] : [[name, translate(problem, passwordLengths)]];
    });
    return Object.fromEntries(found);
  }

  function show(form: HTMLFormElement, found: Problems<Name>) {
    // Synchronous: a screen reader that follows the focus must find the message.
    flushSync(() => setProblems(found));
    const [first] = namesOf(found);
    if (first !== undefined) focusField(form, first);
  }

  async function send(form: HTMLFormElement, values: FormValues<Name>) {
    // Synchronous: a user store renders synchronously, and must find the form in its submitting state.
    flushSync(() => {
      setFailure(undefined);
      setSubmitting(true);
    });
    try {
      const refusal = await guard(() => options.submit(values));
      if (refusal !== undefined) show(form, { [refusal.field]: refusal.message } as Problems<Name>);
      else if (form.isConnected) options.done?.(form, values);
    } catch (error) {
      setFailure(error);
    } finally {
      // Synchronous: a form that shows a problem must take the next submit.
      flushSync(() => setSubmitting(false));
    }
  }

  async function submitOnce(form: HTMLFormElement) {
    if (isRunning.current) return;
    const values = valuesOf(form, namesOf(options.rules));
    const found = problemsOf(values);
    show(form, found);
    if (Object.keys(found).length > 0) return;

    isRunning.current = true;
    await send(form, values);
    isRunning.current = false;
  }

  function clear(name: string) {
    const gone = [name, ...namesOf(problems).filter(other => options.clearedBy?.[other]?.includes(name as Name))];
    if (gone.some(other => other in problems)) setProblems(without(problems, gone));
  }

  return {
    onSubmit(event) {
      event.preventDefault();
      // Events of a form inside a portal reach the form around it too.
      event.stopPropagation();
      void submitOnce(event.currentTarget);
    },
    onInput: event => clear((event.target as HTMLInputElement).name),
    field: name => ({ name, error: problems[name] }),
    problemCount: Object.keys(problems).length,
    isSubmitting,
    failure,
  };
}

/** The current values of a form element. */
export function valuesOf<Name extends string>(form: HTMLFormElement, names: readonly Name[]): FormValues<Name> {
  const data = new FormData(form);
  const entries = names.map(name => [name, data.get(name) ?? '']);
  return Object.fromEntries(entries);
}

function namesOf<Name extends string>(record: Partial<Record<Name, unknown>>): Name[] {
  return Object.keys(record) as Name[];
}

function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

function without<Values extends object>(values: Values, names: readonly string[]): Values {
  const kept = Object.entries(values).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept) as Values;
}
