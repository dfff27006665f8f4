import { useBlocker } from '@tanstack/react-router';
import { Button, Dialog } from '@tessera/ui';
import { words } from '../../words.ts';

/** Asks before a page with unsaved changes is left, by a link or by closing the window. One on a page: each one asks. */
export function LeaveGuard({ isChanged }: { readonly isChanged: () => boolean }) {
  const blocker = useBlocker({
    // A change of the query stays on the page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title={words.unsaved.title} onClose={blocker.reset}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.unsaved.text}</p>
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
