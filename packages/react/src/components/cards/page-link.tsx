import { buttonClass } from '@tessera/ui';
import type { MouseEvent, ReactNode } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { withReturnAddress } from '../navigation/return-address.ts';
import { useNavigateTo } from '../navigation/use-go-to.ts';

interface PageLinkProps {
  to: 'signIn' | 'signUp' | 'forgotPassword' | 'home';
  children: ReactNode;
}

/** A link between the pages that keeps the return URL. */
export function PageLink({ to, children }: PageLinkProps) {
  const goTo = useNavigateTo();
  const href = withReturnAddress(useApp().urls[to], window.location.search);

  function follow(event: MouseEvent) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    goTo(href);
  }

  return (
    <a href={href} className={buttonClass({ variant: 'link' }, 'tss:text-sm')} onClick={follow}>
      {children}
    </a>
  );
}

/** Whether the browser would follow the link in this tab. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
