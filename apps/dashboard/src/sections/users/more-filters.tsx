import { Field, Input } from '@tessera/ui';
import type { ReactNode } from 'react';
import { oauthProviders } from '../../data/oauth-providers.ts';
import { TeamPicker } from '../teams/team-picker.tsx';
import { Choice, type Options } from './choice.tsx';
import type { UserSearch } from './search.ts';
import { words } from './words.ts';

/** Changes search parameters of the list. */
export type Change = (changes: Readonly<Record<string, unknown>>) => void;

/** The filters besides search and order. */
export function MoreFilters({ search, change }: { readonly search: UserSearch; readonly change: Change }) {
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
  const choice = (name: 'method' | 'verified' | 'factor' | 'anonymous' | 'suspended', options: Options) => (
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
      {choice('suspended', yesOrNo)}
      {day('activeFrom')}
      {day('activeTo')}
      {day('joinedFrom')}
      {day('joinedTo')}
      <TeamPicker label={words.filter.team} value={search.team} onChange={team => change({ team })} />
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
