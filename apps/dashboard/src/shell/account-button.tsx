import { Avatar, initialsOf } from '@tessera/ui';
import { lazy } from 'react';
import { LazyMenu } from '../components/lazy-menu.tsx';
import { useOwner } from '../data/owner.tsx';
import { words } from '../words.ts';

const AccountMenu = lazy(() => import('./account-menu.tsx'));

/** The button of the signed-in user, with the account menu. */
export function AccountButton({ showInfo = false }: { readonly showInfo?: boolean }) {
  const { displayName, primaryEmail, profileImageUrl, id } = useOwner();
  const name = displayName || primaryEmail || id;
  return (
    <LazyMenu Menu={AccountMenu} className="tss:justify-start tss:px-2 tss:[&>span]:w-full tss:[&>span]:min-w-0">
      <Avatar size={34} src={profileImageUrl} initials={initialsOf(name)} />
      {/* No aria-label: the name of the button contains what it shows. */}
      <span className="tss:sr-only">
        {words.account.menuOf} {!showInfo && name}
      </span>
      {showInfo && (
        <span className="tss:grid tss:min-w-0 tss:flex-1 tss:text-start">
          <span className="tss:line-clamp-1 tss:break-all tss:font-medium">{name}</span>
          {displayName && primaryEmail && (
            <span className="tss:truncate tss:text-xs tss:font-normal tss:text-muted-foreground">{primaryEmail}</span>
          )}
        </span>
      )}
    </LazyMenu>
  );
}
