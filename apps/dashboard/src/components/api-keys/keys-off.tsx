import { Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { useProject } from '../../data/owner.tsx';
import { words } from './words.ts';

/** In place of the list of a project without such keys: says so, and leads to the switch. */
export function KeysOff({ text }: { readonly text: string }) {
  return (
    <p className="tss:text-sm tss:text-muted-foreground">
      {text}{' '}
      <Link
        to="/projects/$projectId/settings"
        params={{ projectId: useProject().id }}
        className={buttonClass({ variant: 'link' })}
      >
        {words.openSettings}
      </Link>
    </p>
  );
}
