import { isKnown, type UserLink } from '@tessera/client';
import { Button, Field, FormSummary, Select } from '@tessera/ui';
import { useState } from 'react';
import { CopyField } from '../../../components/copy-field.tsx';
import { Panel } from '../../../components/panel.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SignInAgain } from '../../../components/sign-in-again.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import type { User } from '../queries.ts';
import { words } from '../words.ts';

type LinkKind = 'sign_in' | 'password_reset';

/** The pages of the SDK that complete a link, below the handler path of a domain. */
const pageOf: Readonly<Record<LinkKind, string>> = {
  sign_in: 'magic-link-callback',
  password_reset: 'password-reset',
};

/** Links that an owner delivers instead of an email. */
export function AccessPanel({ user }: { readonly user: User }) {
  const project = useProject();
  const { domains } = project.config;
  const handlers = domains.map(({ domain, handlerPath }) => `${domain}${handlerPath}`.replace(/\/$/, ''));
  const [chosen, setChosen] = useState<string>();
  const handler = chosen ?? handlers[0];
  const [link, setLink] = useState<UserLink>();
  const [failure, setFailure] = useState<unknown>();
  const [again, setAgain] = useState<LinkKind>();

  if (handler === undefined) {
    return (
      <Panel title={words.access.title} description={words.access.description}>
        <p className="tss:text-sm tss:text-muted-foreground">{words.access.noDomain}</p>
      </Panel>
    );
  }

  async function create(kind: LinkKind) {
    setFailure(undefined);
    setLink(undefined);
    try {
      setLink(await project.app.createUserLink(user.id, { kind, callbackUrl: `${handler}/${pageOf[kind]}` }));
    } catch (error) {
      if (isKnown(error, 'REAUTHENTICATION_REQUIRED')) setAgain(kind);
      else setFailure(error);
    }
  }

  return (
    <Panel title={words.access.title} description={words.access.description}>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <Field label={words.access.page}>
        <Select value={handler} onChange={event => setChosen(event.target.value)}>
          {handlers.map(one => (
            <option key={one}>{one}</option>
          ))}
        </Select>
      </Field>
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <Button variant="secondary" size="sm" onClick={() => create('sign_in')}>
          {words.access.signIn}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => create('password_reset')}>
          {words.access.reset}
        </Button>
      </div>
      {link !== undefined && (
        <div role="status" className="tss:grid tss:gap-1">
          <CopyField label={words.access.link} value={link.url} copyLabel={words.access.copy} />
          <p className="tss:text-sm tss:text-muted-foreground">
            {words.access.expires} <RelativeTime at={link.expiresAt} />
          </p>
        </div>
      )}
      {again !== undefined && (
        <SignInAgain
          onConfirmed={() => {
            setAgain(undefined);
            void create(again);
          }}
          onClose={() => setAgain(undefined)}
        />
      )}
    </Panel>
  );
}
