import { Field, Input, Select, Switch } from '@tessera/ui';
import { useState } from 'react';
import { isId } from '../../data/search-params.ts';
import { auditLogRoute } from './routes.ts';
import { readAuditSearch } from './search.ts';
import { auditActions, words } from './words.ts';

/** The filters. They are kept in the address, so that a link shows the same events. */
export function AuditFilters() {
  const search = auditLogRoute.useSearch();
  const navigate = auditLogRoute.useNavigate();
  const set = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({ search: known => readAuditSearch({ ...known, ...changes }), replace: true });

  return (
    <search
      aria-label={words.filters}
      className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4 tss:sm:grid-cols-2 tss:xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1fr)_10rem_10rem]"
    >
      <Field label={words.action}>
        <Select value={search.action ?? ''} onChange={event => set({ action: event.target.value })}>
          <option value="">{words.anyAction}</option>
          {auditActions.map(action => (
            <option key={action} value={action}>
              {words.events[action]}
            </option>
          ))}
        </Select>
      </Field>
      <IdFilter label={words.user} value={search.user} onChange={user => set({ user })} />
      <IdFilter label={words.actor} value={search.actor} onChange={actor => set({ actor })} />
      <Field label={words.from}>
        <Input type="date" value={search.from ?? ''} onChange={event => set({ from: event.target.value })} />
      </Field>
      <Field label={words.to}>
        <Input type="date" value={search.to ?? ''} onChange={event => set({ to: event.target.value })} />
      </Field>
      <Switch
        label={words.live}
        description={words.liveHint}
        checked={search.paused !== true}
        onChange={isLive => set({ paused: !isLive })}
        className="tss:justify-self-start tss:sm:col-span-full"
      />
    </search>
  );
}

interface IdFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** A filter by id. It filters as soon as the id is complete. */
function IdFilter({ label, value, onChange }: IdFilterProps) {
  const [text, setText] = useState(value ?? '');
  const [wasLeft, setLeft] = useState(false);

  // The address changed from outside: a link, the back button, "Clear filters".
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value !== undefined || isId(text.trim())) setText(value ?? '');
  }

  const isIncomplete = text.trim() !== '' && !isId(text.trim());
  return (
    <Field label={label} error={wasLeft && isIncomplete && words.notAnId}>
      <Input
        type="search"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onBlur={() => setLeft(true)}
        onChange={event => {
          const next = event.target.value;
          setText(next);
          setLeft(false);
          const id = isId(next.trim()) ? next.trim().toLowerCase() : undefined;
          if (id !== value) onChange(id);
        }}
      />
    </Field>
  );
}
