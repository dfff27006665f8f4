import { useQuery } from '@tanstack/react-query';
import type { AuditEvent } from '@tessera/client';
import { buttonClass } from '@tessera/ui';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { purposeOf } from '../../api-keys/key-set.ts';
import { EventLink } from '../../audit-log/columns.tsx';
import { useActingKeySet } from '../../audit-log/event/acting-key-set.ts';
import { EventTime } from '../../audit-log/event/event-time.tsx';
import { words as auditWords } from '../../audit-log/words.ts';
import { activityQuery, type User } from '../queries.ts';
import { detailWords } from './detail-words.ts';

function Caller({ event: { actor, address } }: { readonly event: AuditEvent }) {
  const keySet = useActingKeySet(actor);
  const facts = [auditWords.actorType[actor.type], keySet && purposeOf(keySet), address];
  return (
    <span className="tss:min-w-24 tss:flex-1 tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
      {facts.filter(Boolean).join(' · ')}
    </span>
  );
}

/** The newest events of the audit log about a user. */
export function ActivityPanel({ user }: { readonly user: User }) {
  const query = useQuery(activityQuery(useProject(), user.id));
  return (
    <Panel title={detailWords.activity} className="tss:lg:col-span-2">
      <PanelList query={query} itemKey={event => event.id} empty={detailWords.noActivity}>
        {event => (
          <>
            <EventLink event={event} className={buttonClass({ variant: 'link' })} />
            <Caller event={event} />
            <span className="tss:text-xs tss:text-muted-foreground">
              <EventTime at={event.at} />
            </span>
          </>
        )}
      </PanelList>
    </Panel>
  );
}
