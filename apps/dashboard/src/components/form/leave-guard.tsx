import { useBlocker } from '@tanstack/react-router';
import { Button, Dialog } from '@tessera/ui';
import { useEffect } from 'react';
import { words } from '../../words.ts';
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
  return (
    <Dialog title={question.title} onClose={blocker.reset}>
      <p className="tss:text-sm tss:text-muted-foreground">{question.text}</p>
      <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
        <Button variant="secondary" onClick={blocker.reset}>
          {words.unsaved.stay}
        </Button>
        <Button variant="destructive" onClick={blocker.proceed}>
          {words.unsaved.leave}
        </Button>
      </div>
    </Dialog>
  );
}
