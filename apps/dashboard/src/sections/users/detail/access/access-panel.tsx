import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UserLink } from '@tessera/client';
import { useActionGuard } from '@tessera/react';
import { buttonClass, FormSummary } from '@tessera/ui';
import { VenetianMask } from 'lucide-react';
import { useState } from 'react';
import { CopyField } from '../../../../components/code/copy-field.tsx';
import { ChangeButton } from '../../../../components/form/change-button.tsx';
import { ChangeFields } from '../../../../components/form/change-fields.tsx';
import { Panel } from '../../../../components/page/panel.tsx';
import { RelativeTime } from '../../../../components/relative-time.tsx';
import { useProject, useRole } from '../../../../data/owner.tsx';
import { problemWords } from '../../../../data/problem-words.ts';
import { suspensionQuery, type User } from '../../queries.ts';
import { accessWords } from './access-words.ts';
import { AppPageField, useAppPage } from './app-page-field.tsx';

type LinkKind = 'sign_in' | 'password_reset';

/** The pages of the SDK that complete a link, below the handler path of a domain. */
const pageOf: Readonly<Record<LinkKind, string>> = {
  sign_in: 'magic-link-callback',
  password_reset: 'password-reset',
};

/** Links that an owner delivers instead of an email, and a window in which the owner acts as the user. */
export function AccessPanel({ user }: { readonly user: User }) {
  const { data: suspension } = useQuery(suspensionQuery(useProject(), user));
  return (
    <Panel title={accessWords.title} description={accessWords.description}>
      {suspension && <p className="tss:text-sm">{accessWords.suspended}</p>}
      <Links user={user} />
      <ImpersonationLink user={user} />
    </Panel>
  );
}

function ImpersonationLink({ user }: { readonly user: User }) {
  const { id: projectId } = useProject();
  if (useRole() === 'viewer') return null;
  return (
    <Link
      to="/impersonation/$projectId/$userId"
      params={{ projectId, userId: user.id }}
      target="_blank"
      rel="noopener"
      className={buttonClass({ variant: 'secondary', size: 'sm' }, 'tss:justify-self-start')}
    >
      <VenetianMask aria-hidden size={16} />
      {accessWords.impersonate}
    </Link>
  );
}

function Links({ user }: { readonly user: User }) {
  const project = useProject();
  const page = useAppPage();
  const { handler } = page;
  const [link, setLink] = useState<UserLink>();
  const [failure, setFailure] = useState<unknown>();
  const guard = useActionGuard();

  async function create(kind: LinkKind) {
    setFailure(undefined);
    setLink(undefined);
    try {
      const asked = { kind, callbackUrl: `${handler}/${pageOf[kind]}` };
      setLink(await guard(() => project.app.createUserLink(user.id, asked)));
      page.keep(asked.callbackUrl);
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <ChangeFields>
        <AppPageField page={page} />
      </ChangeFields>
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <ChangeButton variant="secondary" size="sm" disabled={handler === undefined} onClick={() => create('sign_in')}>
          {accessWords.signIn}
        </ChangeButton>
        <ChangeButton
          variant="secondary"
          size="sm"
          disabled={handler === undefined}
          onClick={() => create('password_reset')}
        >
          {accessWords.reset}
        </ChangeButton>
      </div>
      {link !== undefined && (
        <div role="status" className="tss:grid tss:gap-1">
          <CopyField label={accessWords.link} value={link.url} copyLabel={accessWords.copy} />
          <p className="tss:text-sm tss:text-muted-foreground">
            {accessWords.expires} <RelativeTime at={link.expiresAt} />
          </p>
        </div>
      )}
    </>
  );
}
