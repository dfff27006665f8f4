import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { limitWords } from '../../audit-log/attempt/limit-names.ts';
import { mostRefusals, refusalsQuery } from '../queries.ts';
import { words } from '../words.ts';
import { summarizeBlocked } from './summarize-blocked.ts';

/** What the rate limits of the project refused. */
export function BlockedPanel() {
  const project = useProject();
  const options = refusalsQuery(project, 'limit.reached');
  const events = useQuery(options);
  const query = useQuery({ ...options, select: summarizeBlocked });
  const isPartial = events.data?.length === mostRefusals;
  return (
    <Panel
      title={words.blocked.title}
      description={`${words.blocked.description}${isPartial ? ` ${words.failures.partial(mostRefusals)}` : ''}`}
      className="tss:lg:col-span-2"
      actions={
        <Link
          to="/projects/$projectId/audit-log"
          params={{ projectId: project.id }}
          search={{ action: 'limit.reached' }}
          className={buttonClass({ variant: 'link' }, 'tss:text-sm')}
        >
          {words.failures.all}
        </Link>
      }
    >
      <PanelList query={query} itemKey={({ limit }) => limit} empty={words.blocked.empty}>
        {({ limit, count, addresses }) => (
          <>
            <span className="tss:min-w-0 tss:flex-1 tss:text-sm tss:wrap-anywhere">{limitWords(limit)}</span>
            <span className="tss:text-xs tss:text-muted-foreground">{words.blocked.addresses(addresses)}</span>
            <span className="tss:text-xs">{words.blocked.times(count)}</span>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
