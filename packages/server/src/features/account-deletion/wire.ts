import type { Answer, accountDeletionEndpoints } from '@tessera/protocol';
import type { ScheduledDeletion } from './store.ts';

type OwnDeletion = Answer<typeof accountDeletionEndpoints.read>;

export function scheduledView(scheduled: ScheduledDeletion | undefined): OwnDeletion['scheduled'] {
  if (scheduled === undefined) return null;
  return { requested_at_millis: scheduled.requestedAtMillis, deletes_at_millis: scheduled.deletesAtMillis };
}

export function teamsView(
  teams: readonly { readonly id: string; readonly displayName: string }[],
): OwnDeletion['teams_without_successor'] {
  return teams.map(({ id, displayName }) => ({ id, display_name: displayName }));
}
