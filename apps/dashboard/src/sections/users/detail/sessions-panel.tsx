import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Badge, deviceName } from '@tessera/ui';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { sessionsQuery, type User } from '../queries.ts';
import { detailWords } from './detail-words.ts';

/** Where a user is signed in. */
export function SessionsPanel({ user }: { readonly user: User }) {
  const options = sessionsQuery(useProject(), user);
  const query = useQuery(options);
  const cache = useQueryClient();

  async function end(ids: readonly string[], done: string) {
    try {
      for (const id of ids) await user.revokeSession(id);
      toast.success(done);
    } catch (error) {
      toast.error(problemWords(error));
    }
    await cache.invalidateQueries({ queryKey: options.queryKey });
  }

  const sessions = query.data ?? [];
  const endAll = sessions.length > 1 && (
    <ChangeButton
      variant="secondary"
      size="sm"
      onClick={() =>
        end(
          sessions.map(({ id }) => id),
          detailWords.sessionsEnded,
        )
      }
    >
      {detailWords.endAll}
    </ChangeButton>
  );

  return (
    <Panel title={detailWords.sessions} actions={endAll}>
      <PanelList query={query} itemKey={session => session.id} empty={detailWords.noSessions}>
        {session => {
          const device = deviceName(session.device) ?? detailWords.unknownDevice;
          return (
            <>
              <span className="tss:grid tss:min-w-0 tss:flex-1">
                <span className="tss:flex tss:flex-wrap tss:gap-2">
                  {device}
                  {session.isImpersonation && <Badge tone="destructive">{detailWords.impersonation}</Badge>}
                </span>
                <span className="tss:text-xs tss:text-muted-foreground">
                  {detailWords.lastUsed} <RelativeTime at={session.lastUsedAt ?? session.createdAt} />
                  {session.address && ` · ${session.address}`}
                </span>
              </span>
              <ChangeButton
                variant="secondary"
                size="sm"
                aria-label={detailWords.endSessionOn(device)}
                onClick={() => end([session.id], detailWords.sessionEnded)}
              >
                {detailWords.endSession}
              </ChangeButton>
            </>
          );
        }}
      </PanelList>
    </Panel>
  );
}
