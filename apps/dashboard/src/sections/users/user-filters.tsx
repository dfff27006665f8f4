import { Button, Field, Input, Select } from '@tessera/ui';
import { type ReactNode, useCallback, useState } from 'react';
import { SearchField } from '../../components/search-field.tsx';
import { oauthProviders } from '../../data/oauth-providers.ts';
import { isId } from '../../data/search-params.ts';
import { words as common } from '../../words.ts';
import { usersRoute } from './routes.ts';
import { filterCount, readUserSearch, type UserSearch } from './search.ts';
import { words } from './words.ts';

type Change = (changes: Readonly<Record<string, unknown>>) => void;

/** Search, order and filters. They are kept in the address, so that a link shows the same list. */
export function UserFilters() {
  const search = usersRoute.useSearch();
  const navigate = usersRoute.useNavigate();
  const count = filterCount(search);
  const [isOpen, setOpen] = useState(count > 0);
  const change = useCallback<Change>(
    changes => void navigate({ search: known => readUserSearch({ ...known, ...changes }), replace: true }),
    [navigate],
  );
  const searchFor = useCallback((q: string | undefined) => change({ q }), [change]);

  return (
    <search className="tss:grid tss:gap-4">
      <div className="tss:grid tss:gap-4 tss:sm:grid-cols-[minmax(0,1fr)_12rem_auto] tss:sm:items-end">
        <SearchField label={words.search} value={search.q} onSearch={searchFor} />
        <Choice
          label={words.order}
          value={search.order ?? 'newest'}
          onChange={order => change({ order })}
          options={[
            ['newest', words.newestFirst],
            ['oldest', words.oldestFirst],
          ]}
        />
        <Button variant="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.filter.open(count)}
        </Button>
      </div>
      {isOpen && <MoreFilters search={search} change={change} />}
      {count > 0 && (
        <Button
          variant="quiet"
          size="sm"
          className="tss:justify-self-start"
          onClick={() => void navigate({ search: ({ q, order, hide }) => readUserSearch({ q, order, hide }) })}
        >
          {common.action.clearFilters}
        </Button>
      )}
    </search>
  );
}

function MoreFilters({ search, change }: { readonly search: UserSearch; readonly change: Change }) {
  const any = ['', words.filter.any] as const;
  const yesOrNo = [any, ['yes', words.filter.yes], ['no', words.filter.no]] as const;
  const methods: Options = [
    any,
    ['password', words.method.password],
    ['otp', words.method.emailCode],
    ['passkey', words.method.passkey],
    ...oauthProviders.map(({ id, name }): Options[number] => [id, name]),
  ];
  const day = (name: 'activeFrom' | 'activeTo' | 'joinedFrom' | 'joinedTo') => (
    <Field label={words.filter[name]}>
      <Input type="date" value={search[name] ?? ''} onChange={event => change({ [name]: event.target.value })} />
    </Field>
  );
  const choice = (name: 'method' | 'verified' | 'factor' | 'anonymous', options: Options) => (
    <Choice
      label={words.filter[name]}
      value={search[name] ?? ''}
      onChange={value => change({ [name]: value })}
      options={options}
    />
  );
  return (
    <Grid>
      {choice('method', methods)}
      {choice('verified', yesOrNo)}
      {choice('factor', yesOrNo)}
      {choice('anonymous', yesOrNo)}
      {day('activeFrom')}
      {day('activeTo')}
      {day('joinedFrom')}
      {day('joinedTo')}
      <TeamFilter value={search.team} change={change} />
    </Grid>
  );
}

function Grid({ children }: { readonly children: ReactNode }) {
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4 tss:sm:grid-cols-2 tss:xl:grid-cols-4">
      {children}
    </div>
  );
}

/** It filters as soon as the id is complete. */
function TeamFilter({ value, change }: { readonly value: string | undefined; readonly change: Change }) {
  const [text, setText] = useState(value ?? '');
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value !== undefined || isId(text.trim())) setText(value ?? '');
  }
  return (
    <Field label={words.filter.team}>
      <Input
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={event => {
          setText(event.target.value);
          const id = event.target.value.trim().toLowerCase();
          change({ team: isId(id) ? id : undefined });
        }}
      />
    </Field>
  );
}

type Options = readonly (readonly [value: string, label: string])[];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: Options;
}

function Choice({ label, value, onChange, options }: ChoiceProps) {
  return (
    <Field label={label}>
      <Select value={value} onChange={event => onChange(event.target.value)}>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
