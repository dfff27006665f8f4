import { Badge, Button, Field, Input, neverExpires, Select } from '@tessera/ui';
import { useState } from 'react';
import type { ReadState } from '../../../hooks/reader.ts';
import { useDates } from '../../../words/dates.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Fact, Facts, Hint, Loaded, Row, Rows, Section } from '../parts/parts.tsx';
import { CreateDialog, RevealDialog } from './key-dialogs.tsx';
import { type ApiKey, type CreateKey, type KeyStatus, keysToShow, statusOf } from './keys.ts';

interface ApiKeysProps {
  /** The heading of the page already has this title. */
  isAlone?: boolean;
  /** What the keys are for. */
  text: 'keys.text' | 'keys.textTeam';
  keys: ReadState<readonly ApiKey[]>;
  create: CreateKey;
}

/** The API keys of a user or a team. */
export function ApiKeys({ isAlone = false, text, keys, create }: ApiKeysProps) {
  const translate = useTranslate();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();

  return (
    <Section isAlone={isAlone} title={translate('keys.title')} text={translate(text)}>
      <Button onClick={() => setCreating(true)}>{translate('keys.create')}</Button>
      <Loaded reading={keys}>
        {list => (list.length === 0 ? <Hint>{translate('keys.none')}</Hint> : <KeyList keys={list} />)}
      </Loaded>
      {isCreating && (
        <CreateDialog
          create={create}
          created={value => {
            setCreating(false);
            setSecret(value);
          }}
          close={() => setCreating(false)}
        />
      )}
      {secret !== undefined && <RevealDialog secret={secret} close={() => setSecret(undefined)} />}
    </Section>
  );
}

const statusWords = { all: 'keys.all', valid: 'keys.valid', expired: 'keys.expired', revoked: 'keys.revoked' } as const;

function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  const translate = useTranslate();
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<KeyStatus | 'all'>('all');
  const shown = keysToShow(keys, { search, status });

  return (
    <>
      <div className="tss:flex tss:w-full tss:flex-wrap tss:gap-3">
        <Field label={translate('keys.search')} className="tss:flex-1 tss:basis-40">
          <Input type="search" value={search} onChange={event => setSearch(event.target.value)} />
        </Field>
        <Field label={translate('keys.status')}>
          <Select value={status} onChange={event => setStatus(event.target.value as KeyStatus | 'all')}>
            {Object.entries(statusWords).map(([value, word]) => (
              <option key={value} value={value}>
                {translate(word)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Rows label={translate('keys.title')}>
        {shown.map(key => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </Rows>
      <p role="status" className="tss:text-sm tss:text-muted-foreground tss:empty:hidden">
        {shown.length === 0 && translate('keys.noMatch')}
      </p>
    </>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const translate = useTranslate();
  const dates = useDates();
  const status = statusOf(apiKey);
  const { description, value, expiresAt, createdAt, scopes } = apiKey;

  return (
    <Row
      actions={
        status === 'valid' && (
          <ConfirmButton
            size="sm"
            text={translate('keys.revoke')}
            aria-label={`${translate('keys.revoke')}: ${description}`}
            question={translate('keys.revokeTitle')}
            consequence={translate('keys.revokeText', { name: description })}
            mustTick={translate('keys.understand')}
            act={() => apiKey.revoke()}
          />
        )
      }
    >
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-2">
        <bdi className="tss:font-medium tss:wrap-anywhere">{description}</bdi>
        <Badge tone={status === 'valid' ? 'primary' : 'neutral'}>{translate(statusWords[status])}</Badge>
        {scopes?.map(scope => (
          <Badge key={scope}>
            <bdi>{scope}</bdi>
          </Badge>
        ))}
      </div>
      <Facts>
        <Fact name={translate('keys.value')}>
          <code dir="ltr" className="tss:font-mono">
            ••••{value.lastFour}
          </code>
        </Fact>
        <Fact name={translate('keys.expires')}>
          {status === 'revoked'
            ? '–'
            : expiresAt === undefined || neverExpires(expiresAt)
              ? translate('keys.never')
              : dates.moment(expiresAt)}
        </Fact>
        <Fact name={translate('keys.created')}>{dates.moment(createdAt)}</Fact>
      </Facts>
    </Row>
  );
}
