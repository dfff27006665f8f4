import type { ActiveSession, CurrentUser, DeviceSession } from '@tessera/client';
import { Badge, Button, deviceName } from '@tessera/ui';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useLoad } from '../../../hooks/use-load.ts';
import { useDates } from '../../../words/dates.ts';
import { useLanguage, useTranslate } from '../../../words/translate.tsx';
import { isMissing } from '../missing.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Fact, Facts, Hint, Loaded, Row, Rows, Section } from '../parts/parts.tsx';
import { SecurityActivity, useSecurityActivity } from './security-activity.tsx';

/** What the list shows of a session. A caller chooses what `geoInfo` says, so an attacker could state the user's own place. */
type ListedSession = Omit<DeviceSession, 'expiresAt' | 'geoInfo'>;

/** The sessions of the user. */
export function Sessions({ user }: { user: CurrentUser }) {
  const translate = useTranslate();
  const sessions = useLoad(() => readSessions(user));
  const activity = useSecurityActivity(user);

  async function end(id: string) {
    await user.revokeSession(id);
    sessions.change(list => list.filter(session => session.id !== id));
    void activity.retry();
  }

  async function endOthers() {
    await endOtherSessions(user, sessions.value ?? []);
    sessions.change(list => list.filter(({ isCurrentSession }) => isCurrentSession));
    void activity.retry();
  }

  return (
    <>
      <Section isAlone title={translate('sessions.title')}>
        <Loaded reading={sessions}>
          {list => {
            const hasOthers = list.some(({ isCurrentSession }) => !isCurrentSession);
            if (list.length === 0) return <Hint>{translate('sessions.none')}</Hint>;
            return (
              <>
                <Rows label={translate('sessions.title')}>
                  {list.map(session => (
                    <SessionRow key={session.id} session={session} end={() => end(session.id)} />
                  ))}
                </Rows>
                {hasOthers && (
                  <ConfirmButton
                    text={translate('sessions.endAll')}
                    question={translate('sessions.endAllTitle')}
                    consequence={translate('password.othersEnd')}
                    act={endOthers}
                  />
                )}
              </>
            );
          }}
        </Loaded>
      </Section>
      <SecurityActivity user={user} reading={activity} />
    </>
  );
}

/** The sessions with their devices; without devices from a server that does not tell them. */
async function readSessions(user: CurrentUser): Promise<ListedSession[]> {
  try {
    return await user.getDeviceSessions();
  } catch (error) {
    if (!isMissing(error)) throw error;
    return (await user.getActiveSessions()).map(withUnknownDevice);
  }
}

function withUnknownDevice(session: ActiveSession): ListedSession {
  return {
    ...session,
    lastUsedAt: session.lastUsedAt ?? null,
    device: { browser: null, system: null, type: 'other' },
    address: null,
    countryCode: null,
  };
}

/** One by one on a server that cannot end all of them in one request. */
async function endOtherSessions(user: CurrentUser, sessions: readonly ListedSession[]): Promise<void> {
  try {
    await user.revokeOtherSessions();
  } catch (error) {
    if (!isMissing(error)) throw error;
    for (const { id, isCurrentSession } of sessions) if (!isCurrentSession) await user.revokeSession(id);
  }
}

function SessionRow({ session, end }: { session: ListedSession; end: () => Promise<void> }) {
  const translate = useTranslate();
  const { locale } = useLanguage();
  const dates = useDates();
  const { attempt, failure } = useAttempt();
  const { isCurrentSession, isImpersonation, createdAt, lastUsedAt, address, countryCode, device } = session;
  const name = deviceName(device) ?? translate('sessions.unknownDevice');

  return (
    <Row
      actions={
        // The current session ends by signing out, which is on another page.
        !isCurrentSession && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`${translate('sessions.end')}: ${name}, ${address ?? dates.moment(createdAt)}`}
            onClick={async () => void (await attempt(end))}
          >
            {translate('sessions.end')}
          </Button>
        )
      }
    >
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-2">
        <span className="tss:font-medium">
          <bdi>{name}</bdi>
        </span>
        {isCurrentSession && <Badge>{translate('sessions.current')}</Badge>}
        {isImpersonation && <Badge tone="destructive">{translate('sessions.impersonation')}</Badge>}
      </div>
      <Facts>
        <Fact name={translate('auth.lastUsed')}>
          {lastUsedAt ? <LastUse at={lastUsedAt} /> : translate('keys.never')}
        </Fact>
        <Fact name={translate('sessions.place')}>
          {countryCode
            ? new Intl.DisplayNames(locale, { type: 'region' }).of(countryCode)
            : translate('sessions.unknown')}
        </Fact>
        <Fact name={translate('sessions.ip')}>
          <bdi>{address ?? '–'}</bdi>
        </Fact>
      </Facts>
      <Hint>{translate('sessions.since', { date: dates.moment(createdAt) })}</Hint>
      {failure}
    </Row>
  );
}

const dayMs = 86_400_000;

/** The exact date is shown from the second day on; before, it is in the title. */
function LastUse({ at }: { at: Date }) {
  const translate = useTranslate();
  const dates = useDates();
  const [ago, day] = [dates.ago(at) ?? translate('sessions.justNow'), dates.day(at)];
  const isRecent = Date.now() - at.getTime() < dayMs;

  return (
    <time dateTime={at.toISOString()} title={dates.moment(at)}>
      {/* A time that is long ago is shown as a date already. */}
      {isRecent || ago === day ? ago : `${ago} (${day})`}
    </time>
  );
}
