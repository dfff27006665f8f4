import { useQuery } from '@tanstack/react-query';
import { buttonClass } from '@tessera/ui';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { EventLink } from '../../audit-log/columns.tsx';
import { EventTime } from '../../audit-log/event/event-time.tsx';
import { words as auditWords } from '../../audit-log/words.ts';
import { activityQuery, type User } from '../queries.ts';
import { words } from '../words.ts';

/** The newest events of the audit log about a user. */
export function ActivityPanel({ user }: { readonly user: User }) {
  const query = useQuery(activityQuery(useProject(), user.id));
  return (
    <Panel title={words.detail.activity} className="tss:lg:col-span-2">
      <PanelList query={query} itemKey={event => event.id} empty={words.detail.noActivity}>
        {event => (
          <>
            <EventLink event={event} className={buttonClass({ variant: 'link' })} />
            <span className="tss:min-w-24 tss:flex-1 tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
              {[auditWords.actorType[event.actor.type], event.address].filter(Boolean).join(' · ')}
            </span>
            <span className="tss:text-xs tss:text-muted-foreground">
              <EventTime at={event.at} />
            </span>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
