import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '@tessera/client';
import { buttonClass } from '@tessera/ui';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { purposeOf } from '../api-keys/key-set.ts';
import { words as keyWords } from '../api-keys/words.ts';
import { auditedName } from './audited-name.ts';
import { useActingKeySet } from './event/acting-key-set.ts';
import { eventWords } from './event-words.ts';
import { words } from './words.ts';

const link = buttonClass({ variant: 'link' });

/** The facts of an event, with its details. */
export function FactsPanel({ event }: { readonly event: AuditEvent }) {
  const { actor, subject, address, userAgent, traceId } = event;
  return (
    <Panel title={eventWords.detail.facts}>
      <dl className="tss:grid tss:grid-cols-[auto_minmax(0,1fr)] tss:gap-x-4 tss:gap-y-2 tss:text-sm">
        <Fact name={words.column.at}>
          <time dateTime={event.at.toISOString()}>{event.at.toISOString()}</time>
        </Fact>
        <Fact name={words.column.actor}>
          {words.actorType[actor.type]}
          {actor.id !== null && actor.user !== null && `, ${auditedName(actor.user, actor.id)}`}
          <KeySetLink actor={actor} />
          {actor.id !== null && <Id id={actor.id} />}
        </Fact>
        <Fact name={words.column.user}>
          <UserLink event={event} />
        </Fact>
        {subject !== null && (
          <Fact name={eventWords.detail.subject}>
            {subject.type} <Id id={subject.id} />
          </Fact>
        )}
        <Fact name={eventWords.detail.address}>
          {address === null ? eventWords.detail.unknown : <AddressLink address={address} />}
        </Fact>
        <Fact name={eventWords.detail.userAgent}>{userAgent ?? eventWords.detail.unknown}</Fact>
        {traceId !== null && (
          <Fact name={eventWords.detail.traceId}>
            <TraceLink traceId={traceId} />
          </Fact>
        )}
        <Fact name={eventWords.detail.id}>
          <Id id={event.id} />
        </Fact>
      </dl>
      {event.details !== null && <Values title={eventWords.detail.details} value={event.details} />}
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="tss:text-muted-foreground">{name}</dt>
      <dd className="tss:wrap-anywhere">{children}</dd>
    </>
  );
}

function Id({ id }: { readonly id: string }) {
  return <code className="tss:block tss:font-mono tss:text-xs">{id}</code>;
}

function UserLink({ event: { user, userId } }: { readonly event: AuditEvent }) {
  const project = useProject();
  if (userId === null) return eventWords.detail.noUser;
  return (
    <>
      <Link
        to="/projects/$projectId/users/$userId"
        params={{ projectId: project.id, userId }}
        className={`${link} tss:wrap-anywhere`}
      >
        {user === null ? eventWords.detail.deletedUser : auditedName(user, userId)}
      </Link>
      <Id id={userId} />
    </>
  );
}

/** Leads from a server or admin key to its set, where it can be revoked. */
function KeySetLink({ actor }: { readonly actor: AuditEvent['actor'] }) {
  const project = useProject();
  const keySet = useActingKeySet(actor);
  if (keySet === undefined) return null;
  const key = actor.type === 'server_key' ? keySet.secretServerKey : keySet.superSecretAdminKey;
  return (
    <>
      {' '}
      <Link
        to="/projects/$projectId/api-keys"
        params={{ projectId: project.id }}
        search={keySet.isValid() ? {} : { ended: true }}
        className={`${link} tss:wrap-anywhere`}
      >
        “{purposeOf(keySet)}”
      </Link>{' '}
      {key !== null && <code className="tss:font-mono tss:text-xs">{keyWords.endsWith(key.lastFour)}</code>}
    </>
  );
}

/** Leads to everything that was done from the address. */
function AddressLink({ address }: { readonly address: string }) {
  const project = useProject();
  return (
    <Link
      to="/projects/$projectId/audit-log"
      params={{ projectId: project.id }}
      search={{ address }}
      className={`${link} tss:wrap-anywhere`}
    >
      {address}
    </Link>
  );
}

function TraceLink({ traceId }: { readonly traceId: string }) {
  const project = useProject();
  return (
    <Link
      to="/projects/$projectId/audit-log/trace/$traceId"
      params={{ projectId: project.id, traceId }}
      className={`${link} tss:font-mono tss:text-xs`}
    >
      {traceId}
    </Link>
  );
}

/** A value of an event as JSON. */
export function Values({ title, value }: { readonly title: string; readonly value: AuditEvent['details'] }) {
  return <CodeBlock title={title} code={JSON.stringify(value, null, 2)} copyLabel={eventWords.detail.copy(title)} />;
}
