import type { CurrentUser, SecurityEvent } from '@tessera/client';
import { Button, deviceName } from '@tessera/ui';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { type Load, useLoad } from '../../../hooks/use-load.ts';
import { useDates } from '../../../words/dates.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { isMissing } from '../missing.ts';
import { Hint, Loaded, Row, Rows, Section } from '../parts/parts.tsx';

const pageSize = 10;

interface Shown {
  readonly events: readonly SecurityEvent[];
  readonly nextCursor: string | null;
}

/** What happened to the account: the newest events, and earlier ones on demand. */
export function useSecurityActivity(user: CurrentUser): Load<Shown> {
  return useLoad(() => readEvents(user));
}

async function readEvents(user: CurrentUser, cursor?: string): Promise<Shown> {
  const page = await user.getSecurityActivity({ limit: pageSize, ...(cursor && { cursor }) });
  return { events: page, nextCursor: page.nextCursor };
}

export function SecurityActivity({ user, reading }: { user: CurrentUser; reading: Load<Shown> }) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  async function readEarlier(cursor: string) {
    const next = await readEvents(user, cursor);
    reading.change(({ events }) => ({ ...next, events: [...events, ...next.events] }));
  }

  // A server without this extension.
  if (isMissing(reading.error)) return null;
  return (
    <Section title={translate('activity.title')} text={translate('activity.text')}>
      <Loaded reading={reading}>
        {({ events, nextCursor }) =>
          events.length === 0 ? (
            <Hint>{translate('activity.none')}</Hint>
          ) : (
            <>
              <Rows label={translate('activity.title')}>
                {events.map(event => (
                  <EventRow key={event.id} event={event} />
                ))}
              </Rows>
              {nextCursor !== null && (
                <Button variant="secondary" onClick={async () => void (await attempt(() => readEarlier(nextCursor)))}>
                  {translate('action.more')}
                </Button>
              )}
              {failure}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function EventRow({ event }: { event: SecurityEvent }) {
  const translate = useTranslate();
  const dates = useDates();
  const caller = event.isOwn ? [deviceName(event.device), event.address] : [translate('activity.byApp')];
  return (
    <Row>
      <span>{translate(`activity.${event.action}`)}</span>
      <Hint>
        <time dateTime={event.at.toISOString()}>{dates.moment(event.at)}</time>
        {caller.map(
          part =>
            part && (
              <span key={part}>
                {' · '}
                <bdi>{part}</bdi>
              </span>
            ),
        )}
      </Hint>
    </Row>
  );
}
