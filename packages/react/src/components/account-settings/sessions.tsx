import type { ActiveSession, CurrentUser } from '@tessera/client';
import { Badge, Button } from '@tessera/ui';
import { useEffect, useRef, useState } from 'react';
import { useAttempt } from '../../form/use-attempt.tsx';
import { useDates } from '../../words/dates.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Fact, Facts, Hint, Loaded, Row, Rows, Section } from './parts.tsx';

/** The sessions of the user. */
export function Sessions({ user }: { user: CurrentUser }) {
  const translate = useTranslate();
  const { reading, forget } = useSessions(user);

  async function end(sessions: readonly ActiveSession[]) {
    const ends = await Promise.allSettled(sessions.map(({ id }) => user.revokeSession(id)));
    forget(sessions.filter((_, index) => ends[index]?.status === 'fulfilled'));
    const failed = ends.find(result => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return (
    <Section isAlone title={translate('sessions.title')}>
      <Loaded reading={reading}>
        {sessions => {
          const others = sessions.filter(({ isCurrentSession }) => !isCurrentSession);
          if (sessions.length === 0) return <Hint>{translate('sessions.none')}</Hint>;
          return (
            <>
              <Rows label={translate('sessions.title')}>
                {sessions.map(session => (
                  <SessionRow key={session.id} session={session} end={() => end([session])} />
                ))}
              </Rows>
              {others.length > 0 && (
                <ConfirmButton
                  text={translate('sessions.endAll')}
                  question={translate('sessions.endAllTitle')}
                  consequence={translate('sessions.endAllText')}
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
  const translate = useTranslate();
  const dates = useDates();
  const { attempt, failure } = useAttempt();
  const { isCurrentSession, isImpersonation, createdAt, lastUsedAt, geoInfo } = session;

  return (
    <Row
      actions={
        <Button
          variant="outline"
          size="sm"
          aria-label={`${translate('sessions.end')}: ${geoInfo?.cityName ?? geoInfo?.ip ?? dates.moment(createdAt)}`}
          disabled={isCurrentSession}
          title={isCurrentSession ? translate('sessions.endCurrent') : undefined}
          onClick={async () => void (await attempt(end))}
        >
          {translate('sessions.end')}
        </Button>
      }
    >
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-2">
        <span className="tss:font-medium">{translate(isCurrentSession ? 'sessions.current' : 'sessions.other')}</span>
        {isImpersonation && <Badge tone="destructive">{translate('sessions.impersonation')}</Badge>}
      </div>
      <Facts>
        <Fact name={translate('sessions.lastUsed')}>
          {lastUsedAt ? <LastUse at={lastUsedAt} /> : translate('sessions.never')}
        </Fact>
        <Fact name={translate('sessions.place')}>{geoInfo?.cityName ?? translate('sessions.unknown')}</Fact>
        <Fact name={translate('sessions.ip')}>
          <bdi>{geoInfo?.ip ?? '–'}</bdi>
        </Fact>
      </Facts>
      <Hint>{translate('sessions.since', { date: dates.moment(createdAt) })}</Hint>
      {failure}
    </Row>
  );
}

function LastUse({ at }: { at: Date }) {
  const translate = useTranslate();
  const dates = useDates();
  const [ago, day] = [dates.ago(at) ?? translate('sessions.justNow'), dates.day(at)];

  return (
    <time dateTime={at.toISOString()} title={dates.moment(at)}>
      {/* What is long ago is told by its date already. */}
      {ago === day ? day : `${ago} (${day})`}
    </time>
  );
}

/** The sessions, fetched when the page opens. Ended ones disappear from the list. */
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
