import type { CurrentUser } from '@tessera/client';
import { hasCode } from '@tessera/client/internals';
import { type ReactNode, useRef, useState } from 'react';
import { type ActionGuard, ActionGuardContext } from '../../form/action-guard.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';

const ReauthenticationDialog = lazyPart(
  () => import('../../lazy/settings-dialogs.ts').then(module => module.ReauthenticationDialog),
  () => null,
);

interface ReauthenticationProps {
  user: CurrentUser;
  children: ReactNode;
}

/** A question that is open: all actions that were refused meanwhile wait for the same answer. */
interface Question {
  readonly answer: Promise<boolean>;
  readonly resolve: (isProved: boolean) => void;
}

/**
 * Repeats the actions of its children that the server refuses because the sign-in is too old, after the user has
 * reauthenticated in a dialog. When the user cancels, the request stays refused. The children are rendered as they are: they
 * can be any part of an app.
 *
 * @example
 * <Reauthentication user={user}>
 *   <DeleteProject />
 * </Reauthentication>
 */
export function Reauthentication({ user, children }: ReauthenticationProps) {
  const [question, setQuestion] = useState<Question>();
  const open = useRef<Question>(undefined);

  function ask(): Promise<boolean> {
    open.current ??= createQuestion();
    setQuestion(open.current);
    return open.current.answer;
  }

  function close(isProved: boolean) {
    open.current?.resolve(isProved);
    open.current = undefined;
    setQuestion(undefined);
  }

  const guard: ActionGuard = async act => {
    try {
      return await act();
    } catch (error) {
      if (!hasCode(error, 'REAUTHENTICATION_REQUIRED') || !(await ask())) throw error;
      return act();
    }
  };

  return (
    <>
      <ActionGuardContext.Provider value={guard}>{children}</ActionGuardContext.Provider>
      {/* Outside of the provider: the forms of the dialog must not ask again. */}
      {question && <ReauthenticationDialog user={user} done={() => close(true)} cancel={() => close(false)} />}
    </>
  );
}

function createQuestion(): Question {
  let resolve: Question['resolve'] = () => {};
  const answer = new Promise<boolean>(take => {
    resolve = take;
  });
  return { answer, resolve };
}
