import { Link } from '@tanstack/react-router';
import type { InternalApiKey } from '@tessera/client';
import { Badge, buttonClass } from '@tessera/ui';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { useProject } from '../../data/owner.tsx';
import { expiresSoon, nameOfSet, purposeOf } from './key-set.ts';
import { KeySetFacts } from './key-set-facts.tsx';
import { words } from './words.ts';

interface KeySetRowProps {
  readonly set: InternalApiKey;
  readonly onRotate: () => void;
  readonly onRevoke: () => void;
}

/** A set of keys: purpose, kinds, dates, and what an owner can do with it. */
export function KeySetRow({ set, onRotate, onRevoke }: KeySetRowProps) {
  const name = nameOfSet(set);
  return (
    <>
      <div className="tss:grid tss:min-w-0 tss:flex-1 tss:basis-64 tss:gap-1">
        <p className="tss:flex tss:flex-wrap tss:items-center tss:gap-2 tss:font-medium tss:wrap-anywhere">
          {purposeOf(set)}
          <KeySetBadge set={set} />
        </p>
        <KeySetFacts set={set} />
        <EventsLink set={set} />
      </div>
      {set.isValid() && (
        <div className="tss:flex tss:flex-wrap tss:gap-2">
          <ChangeButton variant="secondary" size="sm" aria-label={words.rotateOf(name)} onClick={onRotate}>
            {words.rotate}
          </ChangeButton>
          <ChangeButton variant="secondary" size="sm" aria-label={words.revokeOf(name)} onClick={onRevoke}>
            {words.revoke}
          </ChangeButton>
        </div>
      )}
    </>
  );
}

/** Leads to what was done with the keys of a set. A publishable key is public, so the log does not tell its set. */
function EventsLink({ set }: { readonly set: InternalApiKey }) {
  const project = useProject();
  if (set.secretServerKey === null && set.superSecretAdminKey === null) return null;
  return (
    <Link
      to="/projects/$projectId/audit-log"
      params={{ projectId: project.id }}
      search={{ actor: set.id }}
      aria-label={words.eventsOf(nameOfSet(set))}
      className={buttonClass({ variant: 'link' }, 'tss:justify-self-start tss:text-xs')}
    >
      {words.events}
    </Link>
  );
}

function KeySetBadge({ set }: { readonly set: InternalApiKey }) {
  if (set.manuallyRevokedAt !== null) return <Badge tone="destructive">{words.revoked}</Badge>;
  if (!set.isValid()) return <Badge>{words.expired}</Badge>;
  return expiresSoon(set, Date.now()) ? <Badge tone="destructive">{words.expiresSoon}</Badge> : null;
}
