import type { ActiveSession, CurrentUser } from '@tessera/client';
import { Badge, Button } from '@tessera/ui';
import { useEffect, useRef, useState } from 'react';
import { useAttempt } from '../../form/use-attempt.tsx';
import { useDates } from '../../words/dates.ts';
import { useSay } from '../../words/say.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Fact, Facts, Hint, Loaded, Row, Rows, Section } from './parts.tsx';

/** Where the user is signed in. */
export function Sessions({ user }: { user: CurrentUser }) {
  const say = useSay();
  const { reading, forget } = useSessions(user);

  async function end(sessions: readonly ActiveSession[]) {
    const ends = await Promise.allSettled(sessions.map(({ id }) => user.revokeSession(id)));
    forget(sessions.filter((_, index) => ends[index]?.status === 'fulfilled'));
    const failed = ends.find(result => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return (
    <Section isAlone title={say('sessions.title')}>
      <Loaded reading={reading}>
        {sessions => {
          const others = sessions.filter(({ isCurrentSession }) => !isCurrentSession);
          if (sessions.length === 0) return <Hint>{say('sessions.none')}</Hint>;
          return (
            <>
              <Rows label={say('sessions.title')}>
                {sessions.map(session => (
                  <SessionRow key={session.id} session={session} end={() => end([session])} />
                ))}
              </Rows>
              {others.length > 0 && (
                <ConfirmButton
                  text={say('sessions.endAll')}
                  question={say('sessions.endAllTitle')}
                  consequence={say('sessions.endAllText')}
                  act={() => end(others)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function SessionRow({ session, end }: { session: ActiveSession; end: () => Promise<void> }) {
  const say = useSay();
  const dates = useDates();
  const { attempt, failure } = useAttempt();
  const { isCurrentSession, isImpersonation, createdAt, lastUsedAt, geoInfo } = session;

  return (
    <Row
      actions={
        <Button
          variant="outline"
          size="sm"
          aria-label={`${say('sessions.end')}: ${geoInfo?.cityName ?? geoInfo?.ip ?? dates.moment(createdAt)}`}
          disabled={isCurrentSession}
          title={isCurrentSession ? say('sessions.endCurrent') : undefined}
          onClick={async () => void (await attempt(end))}
        >
          {say('sessions.end')}
        </Button>
      }
    >
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-2">
        <span className="tss:font-medium">{say(isCurrentSession ? 'sessions.current' : 'sessions.other')}</span>
        {isImpersonation && <Badge tone="destructive">{say('sessions.impersonation')}</Badge>}
      </div>
      <Facts>
        <Fact name={say('sessions.lastUsed')}>{lastUsedAt ? <LastUse at={lastUsedAt} /> : say('sessions.never')}</Fact>
        <Fact name={say('sessions.place')}>{geoInfo?.cityName ?? say('sessions.unknown')}</Fact>
        <Fact name={say('sessions.ip')}>
          <bdi>{geoInfo?.ip ?? '–'}</bdi>
        </Fact>
      </Facts>
      <Hint>{say('sessions.since', { date: dates.moment(createdAt) })}</Hint>
      {failure}
    </Row>
  );
}

function LastUse({ at }: { at: Date }) {
  const say = useSay();
  const dates = useDates();
  const [ago, day] = [dates.ago(at) ?? say('sessions.justNow'), dates.day(at)];

  return (
    <time dateTime={at.toISOString()} title={dates.moment(at)}>
      {/* What is long ago is told by its date already. */}
      {ago === day ? day : `${ago} (${day})`}
    </time>
  );
}

/** The sessions, fetched when the page is opened; those that are ended go from the list. */
function useSessions(user: CurrentUser) {
  const [sessions, setSessions] = useState<readonly ActiveSession[]>();
  const [error, setError] = useState<unknown>();
  const hasStarted = useRef(false);

  async function load() {
    setError(undefined);
    try {
      setSessions(await user.getActiveSessions());
    } catch (reason) {
      setError(reason);
    }
  }

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void load();
  });

  const forget = (gone: readonly ActiveSession[]) => setSessions(now => now?.filter(one => !gone.includes(one)));
  return { reading: { value: sessions, error, retry: load }, forget };
}
