import { typedCodeLength } from '@tessera/client/internals';
import { Button, CodeInput, Field, Spinner } from '@tessera/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslate } from '../words/translate.tsx';
import { useActionGuard } from './action-guard.ts';
import { FormFailure } from './form-failure.tsx';

interface CodeEntryProps {
  kind: 'digits' | 'letters';
  description?: ReactNode;
  /**
   * Submits a complete code, once. Resolves to a problem of the code, and the boxes are then emptied. A rejection is
   * shown above the boxes, which keep the code, and can be retried.
   */
  submit: (code: string) => Promise<string | undefined>;
}

/** The input for a one-time code of six characters. It submits when the last character is entered. */
export function CodeEntry({ kind, description, submit }: CodeEntryProps) {
  const translate = useTranslate();
  const guard = useActionGuard();
  const input = useRef<HTMLInputElement>(null);
  const isRunning = useRef(false);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [isChecking, setChecking] = useState(false);

  useEffect(() => input.current?.focus(), []);

  async function check(whole: string) {
    if (isRunning.current) return;
    isRunning.current = true;
    flushSync(() => {
      setFailure(undefined);
      setChecking(true);
    });
    try {
      const refusal = await guard(() => submit(whole));
      if (refusal !== undefined) {
        flushSync(() => {
          setProblem(refusal);
          setCode('');
        });
        input.current?.focus();
      }
    } catch (error) {
      setFailure(error);
    } finally {
      isRunning.current = false;
      // Synchronous: boxes that show a problem must take the next character.
      flushSync(() => setChecking(false));
    }
  }

  function type(next: string) {
    setCode(next);
    setProblem(undefined);
    if (next.length === typedCodeLength && next !== code) void check(next);
  }

  return (
    <form
      noValidate
      className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4"
      onSubmit={event => {
        event.preventDefault();
        if (code.length === typedCodeLength) void check(code);
      }}
    >
      <FormFailure of={failure} />
      <Field
        label={translate(kind === 'digits' ? 'code.digits' : 'code.label')}
        error={problem}
        description={description}
      >
        <CodeInput
          ref={input}
          kind={kind}
          length={typedCodeLength}
          value={code}
          readOnly={isChecking}
          onChange={type}
        />
      </Field>
      <p
        role="status"
        className="tss:flex tss:items-center tss:gap-2 tss:text-sm tss:text-muted-foreground tss:empty:hidden"
      >
        {isChecking && (
          <>
            <Spinner size={16} />
            {translate('code.checking')}
          </>
        )}
      </p>
      {failure !== undefined && !isChecking && <Button type="submit">{translate('action.retry')}</Button>}
    </form>
  );
}
