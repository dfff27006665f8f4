import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { words } from '../../words.ts';
import { LeaveQuestion } from './leave-question.tsx';
import { unsavedWork } from './unsaved-work.ts';

interface LeaveGuardProps {
  readonly isChanged: () => boolean;
  /** What is lost. Default: unsaved changes. */
  readonly question?: { readonly title: string; readonly text: string };
}

/** Asks before a page is left whose state would be lost, by a link or by closing the window. On a page each one asks. */
export function LeaveGuard({ isChanged, question = words.unsaved }: LeaveGuardProps) {
  useEffect(() => unsavedWork.watch(isChanged), [isChanged]);
  const blocker = useBlocker({
    // A change of the query stays on the page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <LeaveQuestion words={{ ...words.unsaved, ...question }} onStay={blocker.reset} onLeave={blocker.proceed} />;
}
