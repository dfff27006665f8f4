import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import type { ProjectInvitationDetails } from '@tessera/client';
import { Button, Card, CardDescription, CardHeader, CardTitle, Page, ThemeRoot } from '@tessera/ui';
import { Suspense, useState } from 'react';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { useDocumentTitle } from '../../data/browser/document-title.ts';
import { shownName } from '../../data/names/shown-name.ts';
import { problemWords } from '../../data/problem-words.ts';
import { rootRoute } from '../../routes/root.tsx';
import { forgetInvitationCode, invitationCode, keepInvitationCode } from './invitation-code.ts';
import { InvitationSignUp } from './invitation-sign-up.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/invitation')({ component: InvitationPage });

function InvitationPage() {
  useDocumentTitle(words.pageTitle);
  const [code] = useState(() => invitationCode(window.location.hash, window.sessionStorage));
  if (code === null) return <Notice title={words.invalidTitle}>{words.noCodeText}</Notice>;
  return (
    <Suspense fallback={<Loading />}>
      <Invitation code={code} />
    </Suspense>
  );
}

function Loading() {
  return (
    <ThemeRoot className="tss:p-4 tss:md:p-8">
      <ContentSkeleton />
    </ThemeRoot>
  );
}

function Invitation({ code }: { readonly code: string }) {
  const { app } = rootRoute.useRouteContext();
  const user = app.useUser();
  const details = useQuery({
    queryKey: ['project-invitation', code],
    queryFn: () => app.getProjectInvitationDetails(code),
    // A used code is refused; the page must not ask again after it used the code itself.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const navigate = useNavigate();
  if (details.isPending) return <Loading />;
  if (details.isError) {
    return (
      <Notice
        title={words.invalidTitle}
        primaryButtonText={words.home}
        primaryAction={() => {
          forgetInvitationCode(window.sessionStorage);
          return navigate({ to: '/' });
        }}
      >
        {problemWords(details.error)}
      </Notice>
    );
  }
  return (
    <Answer code={code} details={details.data} address={user && (user.primaryEmail ?? user.displayName ?? user.id)} />
  );
}

interface AnswerProps {
  readonly code: string;
  readonly details: ProjectInvitationDetails;
  /** The address of the signed-in user; null when no user is signed in. */
  readonly address: string | null;
}

function Answer({ code, details, address }: AnswerProps) {
  // The sign-up form stays while it signs in.
  const [isNew] = useState(address === null && !details.hasAccount);
  return (
    <Page fullPage>
      <Card>
        <CardHeader>
          <CardTitle>{words.title(shownName(details.projectDisplayName))}</CardTitle>
          <CardDescription>{words.asRole[details.role]}</CardDescription>
        </CardHeader>
        <p className="tss:grid tss:text-sm">
          <span className="tss:text-muted-foreground">{words.invited}</span>
          <span dir="ltr" className="tss:wrap-anywhere">
            {details.recipientEmail}
          </span>
        </p>
        {isNew ? (
          <InvitationSignUp code={code} />
        ) : address === null ? (
          <ToSignIn code={code} />
        ) : (
          <Acceptance code={code} address={address} />
        )}
      </Card>
    </Page>
  );
}

function ToSignIn({ code }: { readonly code: string }) {
  const { app } = rootRoute.useRouteContext();

  async function signIn() {
    keepInvitationCode(code, window.sessionStorage);
    window.history.replaceState(window.history.state, '', window.location.pathname);
    await app.redirectToSignIn();
  }

  return (
    <>
      <p className="tss:text-sm tss:text-muted-foreground">{words.hasAccount}</p>
      <Button size="lg" onClick={signIn}>
        {words.signIn}
      </Button>
    </>
  );
}

function Acceptance({ code, address }: { readonly code: string; readonly address: string }) {
  const { app, queryClient } = rootRoute.useRouteContext();
  const navigate = useNavigate();
  const form = useForm({
    initial: {},
    submit: async () => {
      const { projectId } = await app.acceptProjectInvitation(code);
      forgetInvitationCode(window.sessionStorage);
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
      await navigate({ to: '/projects/$projectId/overview', params: { projectId } });
    },
  });

  return (
    <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
      <FormFailure failure={form.failure} />
      <p className="tss:grid tss:text-sm">
        <span className="tss:text-muted-foreground">{words.signedInAs}</span>
        <span dir="ltr" className="tss:wrap-anywhere">
          {address}
        </span>
      </p>
      <Button type="submit" size="lg" busy={form.isBusy}>
        {words.accept}
      </Button>
    </form>
  );
}
