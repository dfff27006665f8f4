import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InternalApiKey } from '@tessera/client';
import { Badge, buttonClass, neverExpires } from '@tessera/ui';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProject } from '../../data/owner.tsx';
import { expiresSoon, keyKinds, purposeOf } from './key-set.ts';
import { keySetUsesQuery } from './queries.ts';
import { words } from './words.ts';

interface KeySetRowProps {
  readonly set: InternalApiKey;
  readonly onRotate: () => void;
  readonly onRevoke: () => void;
}

/** A set of keys: purpose, kinds, dates, and what an owner can do with it. */
export function KeySetRow({ set, onRotate, onRevoke }: KeySetRowProps) {
  const purpose = purposeOf(set);
  return (
    <>
      <div className="tss:grid tss:min-w-0 tss:flex-1 tss:basis-64 tss:gap-1">
        <p className="tss:flex tss:flex-wrap tss:items-center tss:gap-2 tss:font-medium tss:wrap-anywhere">
          {purpose}
          <KeySetBadge set={set} />
        </p>
        <ul className="tss:flex tss:flex-wrap tss:gap-x-4 tss:gap-y-1 tss:text-xs tss:text-muted-foreground">
          {keyKinds.map(kind => {
            const key = set[kind];
            return (
              key && (
                <li key={kind} className="tss:block">
                  {words.kind[kind]} <code className="tss:font-mono">{words.endsWith(key.lastFour)}</code>
                </li>
              )
            );
          })}
        </ul>
        <KeySetDates set={set} />
        <EventsLink set={set} />
      </div>
      {set.isValid() && (
        <div className="tss:flex tss:gap-2">
          <ChangeButton variant="secondary" size="sm" aria-label={words.rotateOf(purpose)} onClick={onRotate}>
            {words.rotate}
          </ChangeButton>
          <ChangeButton variant="secondary" size="sm" aria-label={words.revokeOf(purpose)} onClick={onRevoke}>
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
      aria-label={words.eventsOf(purposeOf(set))}
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

function LastUse({ id }: { readonly id: string }) {
  const { data: use } = useQuery({
    ...keySetUsesQuery(useProject()),
    select: uses => uses.find(one => one.id === id),
  });
  if (use === undefined) return null;
  if (use.lastUsedAt === null) return `, ${words.neverUsed}`;
  return (
    <>
      , {words.lastUsed} <RelativeTime at={use.lastUsedAt} />
    </>
  );
}

function KeySetDates({ set }: { readonly set: InternalApiKey }) {
  return (
    <p className="tss:text-xs tss:text-muted-foreground">
      {words.created} <RelativeTime at={set.createdAt} />, <KeySetEnd set={set} />
      <LastUse id={set.id} />
    </p>
  );
}

function KeySetEnd({ set }: { readonly set: InternalApiKey }) {
  if (set.manuallyRevokedAt !== null) {
    return (
      <>
        {words.revoked} <RelativeTime at={set.manuallyRevokedAt} />
      </>
    );
  }
  if (neverExpires(set.expiresAt)) return words.neverExpires;
  return (
    <>
      {set.isValid() ? words.expires : words.expired} <RelativeTime at={set.expiresAt} />
    </>
  );
}
