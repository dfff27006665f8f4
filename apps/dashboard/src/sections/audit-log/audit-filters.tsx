import { useNavigate } from '@tanstack/react-router';
import { Button, Field, Input, Select, Switch } from '@tessera/ui';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Disclosure } from '../../components/disclosure.tsx';
import { useIsNarrow } from '../../data/browser/media-query.ts';
import { useProject } from '../../data/owner.tsx';
import { actionWords, auditActions } from './actions.ts';
import { AddressFilter } from './address-filter.tsx';
import { auditLogRoute } from './routes.ts';
import { readAuditSearch, readTraceId } from './search.ts';
import { UserFilter } from './user-filter.tsx';
import { words } from './words.ts';

/** The filters. They are kept in the address, so that a link shows the same events. */
export function AuditFilters() {
  const search = auditLogRoute.useSearch();
  const navigate = auditLogRoute.useNavigate();
  const set = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({ search: known => readAuditSearch({ ...known, ...changes }), replace: true });

  const isNarrow = useIsNarrow();
  const more = (
    <>
      <UserFilter label={words.user} value={search.user} onChange={user => set({ user })} />
      <UserFilter label={words.actor} value={search.actor} onChange={actor => set({ actor })} />
      <Field label={words.from}>
        <Input type="date" value={search.from ?? ''} onChange={event => set({ from: event.target.value })} />
      </Field>
      <Field label={words.to}>
        <Input type="date" value={search.to ?? ''} onChange={event => set({ to: event.target.value })} />
      </Field>
      <AddressFilter value={search.address} onChange={address => set({ address })} />
      <TraceSearch />
      <Switch
        label={words.live}
        description={words.liveHint}
        checked={search.paused !== true}
        onChange={isLive => set({ paused: !isLive })}
        className="tss:justify-self-start tss:col-span-full"
      />
    </>
  );

  return (
    <search aria-label={words.filters} className="tss:@container">
      {/* By the width of the container: the date fields grow with the text, the window does not. */}
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-4 tss:@min-[36rem]:grid-cols-2 tss:@min-[60rem]:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1fr)_11rem_11rem]">
        <Field label={words.action}>
          <Select value={search.action ?? ''} onChange={event => set({ action: event.target.value })}>
            <option value="">{words.anyAction}</option>
            {auditActions.map(action => (
              <option key={action} value={action}>
                {actionWords[action]}
              </option>
            ))}
          </Select>
        </Field>
        {isNarrow ? <Collapsed>{more}</Collapsed> : more}
      </div>
    </search>
  );
}

/** On a phone the filters would fill the first screen. */
function Collapsed({ children }: { readonly children: ReactNode }) {
  return (
    <div className="tss:col-span-full">
      <Disclosure label={words.moreFilters}>
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4 tss:pt-2">{children}</div>
      </Disclosure>
    </div>
  );
}

/** Leads from the trace id of an error page to the request. It is no filter: one request is one story. */
function TraceSearch() {
  const project = useProject();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [wasTried, setTried] = useState(false);
  const traceId = readTraceId(text);

  function find(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (traceId === undefined) return;
    void navigate({
      to: '/projects/$projectId/audit-log/trace/$traceId',
      params: { projectId: project.id, traceId },
    });
  }

  return (
    <form
      onSubmit={find}
      className="tss:flex tss:flex-wrap tss:items-start tss:gap-2 tss:col-span-full tss:@min-[60rem]:col-span-4"
    >
      <Field
        label={words.trace}
        description={words.traceHint}
        error={wasTried && traceId === undefined && words.notATrace}
        className="tss:min-w-[min(100%,12rem)] tss:flex-1 tss:sm:max-w-96"
      >
        <Input
          type="search"
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          onChange={event => {
            setText(event.target.value);
            setTried(false);
          }}
        />
      </Field>
      <Button type="submit" variant="secondary" className="tss:mt-6.5">
        {words.findTrace}
      </Button>
    </form>
  );
}
