import { queryOptions, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { InternalApiKeyFirstView } from '@tessera/client';
import { buttonClass } from '@tessera/ui';
import { useState } from 'react';
import { PageHeader } from '../../components/page/page-header.tsx';
import { type OwnedProject, useProject } from '../../data/owner.tsx';
import { userName } from '../users/user-name.ts';
import { AppStep } from './app-step.tsx';
import { CodeStep } from './code-step.tsx';
import { DomainStep } from './domain-step.tsx';
import { KeysStep } from './keys-step.tsx';
import { MailStep } from './mail-step.tsx';
import { Step } from './step.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/get-started')({ component: GetStarted });

const pollMs = 5000;

function GetStarted() {
  // The keys are kept in this page only, until it is left.
  const [keys, setKeys] = useState<InternalApiKeyFirstView>();
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <ol className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4">
        <KeysStep keys={keys} onMade={setKeys} />
        <CodeStep keys={keys} />
        <AppStep />
        <FirstUserStep />
        <DomainStep />
        <MailStep />
      </ol>
    </>
  );
}

/** Asks every few seconds until there is a user. */
function firstUserQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'get-started', 'first-user'],
    queryFn: async () => (await project.app.listUsers({ limit: 1, orderBy: 'signedUpAt' }))[0] ?? null,
    refetchInterval: query => (query.state.data ? false : pollMs),
  });
}

function FirstUserStep() {
  const project = useProject();
  const { data: user } = useQuery(firstUserQuery(project));
  return (
    <Step number={4} title={words.firstUser} isDone={Boolean(user)}>
      {user ? (
        <p className="tss:flex tss:flex-wrap tss:items-center tss:gap-3 tss:text-sm tss:wrap-anywhere">
          {words.firstUserDone(userName(user))}
          <Link
            to="/projects/$projectId/users/$userId"
            params={{ projectId: project.id, userId: user.id }}
            className={buttonClass({ variant: 'link' })}
          >
            {words.openUser}
          </Link>
        </p>
      ) : (
        <p className="tss:text-sm tss:text-muted-foreground">{words.firstUserText}</p>
      )}
    </Step>
  );
}
