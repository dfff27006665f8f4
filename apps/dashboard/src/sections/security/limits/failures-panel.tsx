import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { mostRefusals, refusalsQuery } from '../queries.ts';
import { words } from '../words.ts';
import { type AddressFailures, summarizeFailures } from './summarize-failures.ts';

const mostAddresses = 5;
const topAddresses = (events: Parameters<typeof summarizeFailures>[0]): readonly AddressFailures[] =>
  summarizeFailures(events).slice(0, mostAddresses);

/** The addresses with the most failed sign-ins. */
export function FailuresPanel() {
  const project = useProject();
  const options = refusalsQuery(project, 'sign_in.failed');
  const events = useQuery(options);
  const query = useQuery({ ...options, select: topAddresses });
  const isPartial = events.data?.length === mostRefusals;
  return (
    <Panel
      title={words.failures.title}
      description={`${words.failures.description}${isPartial ? ` ${words.failures.partial(mostRefusals)}` : ''}`}
      className="tss:lg:col-span-2"
      actions={
        <Link
          to="/projects/$projectId/audit-log"
          params={{ projectId: project.id }}
          search={{ action: 'sign_in.failed' }}
          className={buttonClass({ variant: 'link' }, 'tss:text-sm')}
        >
          {words.failures.all}
        </Link>
      }
    >
      <PanelList query={query} itemKey={({ address }) => address ?? ''} empty={words.failures.empty}>
        {({ address, count, accounts }) => (
          <>
            <span className="tss:min-w-0 tss:flex-1 tss:font-mono tss:text-xs tss:wrap-anywhere">
              {address ?? words.failures.unknownAddress}
            </span>
            <span className="tss:text-xs tss:text-muted-foreground">{words.failures.accounts(accounts)}</span>
            <span className="tss:text-xs">{words.failures.times(count)}</span>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
