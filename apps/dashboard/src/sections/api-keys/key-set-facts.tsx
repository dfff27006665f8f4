import { useQuery } from '@tanstack/react-query';
import type { InternalApiKey } from '@tessera/client';
import { neverExpires } from '@tessera/ui';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProject } from '../../data/owner.tsx';
import { keyKinds } from './key-set.ts';
import { keySetUsesQuery } from './queries.ts';
import { words } from './words.ts';

/** What tells a set from another of the same purpose, such as its successor: the endings of its keys, and its dates. */
export function KeySetFacts({ set }: { readonly set: InternalApiKey }) {
  return (
    <div className="tss:grid tss:gap-1">
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
    </div>
  );
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
