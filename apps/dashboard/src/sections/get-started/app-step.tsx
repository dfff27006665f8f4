import { queryOptions, useQuery } from '@tanstack/react-query';
import { RelativeTime } from '../../components/relative-time.tsx';
import { type OwnedProject, useProject } from '../../data/owner.tsx';
import { shownTime } from '../audit-log/shown-time.ts';
import { Step } from './step.tsx';
import { words } from './words.ts';

const pollMs = 5000;

/** The newest use of a key of the project, read again until there is one. */
export function keyUseQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'get-started', 'key-use'],
    queryFn: async () => (await project.app.listAuditEvents({ action: 'key_set.used', limit: 1 }))[0] ?? null,
    refetchInterval: query => (query.state.data ? false : pollMs),
  });
}

/** Done when a request with a key of the project reached this server. */
export function AppStep() {
  const { data: event } = useQuery(keyUseQuery(useProject()));
  return (
    <Step number={3} title={words.app} isDone={Boolean(event)}>
      <p className="tss:text-sm tss:text-muted-foreground">
        {event ? (
          <>
            {words.appDone} <RelativeTime at={shownTime(event)} />.
          </>
        ) : (
          words.appText
        )}
      </p>
    </Step>
  );
}
