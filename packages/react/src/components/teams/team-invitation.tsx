import { isKnown, RequestError } from '@tessera/client';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FailedCard, UnknownErrorCard, useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import {
  CheckedCode,
  type CodePageProps,
  codeOf,
  DeadLinkCard,
  useFocusedTitle,
  WaitingCard,
} from '../codes/code-link.tsx';
import { outcomeOf } from '../codes/code-outcome.ts';

/** Props of `TeamInvitation`. */
export type TeamInvitationProps = CodePageProps;

/** The page of the link in an invitation. */
export function TeamInvitation({ fullPage, searchParams }: TeamInvitationProps) {
  const code = codeOf(searchParams);

  return (
    <PageSurface fullPage={fullPage}>
      {code === undefined ? (
        <DeadLinkCard outcome="invalid" advice="invitation.again" />
      ) : (
        <Invitation key={code} code={code} />
      )}
    </PageSurface>
  );
}

function Invitation({ code }: { code: string }) {
  const app = useApp();
  const user = useUserState();

  if (user.value === undefined) {
    return user.error === undefined ? (
      <WaitingCard label="page.loading" />
    ) : (
      <FailedCard error={user.error} retry={user.retry} />
    );
  }
  if (user.value === null) return <SignInFirstCard />;
  return (
    <CheckedCode check={() => outcomeOf(app.verifyTeamInvitationCode(code))}>
      {outcome =>
        outcome === 'ok' ? (
          // After a change of account: ask again.
          <Question key={user.value?.id} code={code} />
        ) : (
          <DeadLinkCard outcome={outcome} advice="invitation.again" />
        )
      }
    </CheckedCode>
  );
}

function SignInFirstCard() {
  const app = useApp();
  const translate = useTranslate();
  const { goHome } = useNextActions();

  return (
    <ActionCard
      title={translate('invitation.title')}
      primaryButtonText={translate('action.signIn')}
      primaryAction={() => app.redirectToSignIn()}
      secondaryButtonText={translate('action.cancel')}
      secondaryAction={goHome}
    >
      <p className="tss:text-pretty">{translate('invitation.signInFirst')}</p>
    </ActionCard>
  );
}

type Step = { is: 'loading' | 'failed' | 'offline' } | { is: 'ready' | 'joined' | 'member'; team: string };

function Question({ code }: { code: string }) {
  const app = useApp();
  const translate = useTranslate();
  const { goHome } = useNextActions();
  const [step, setStep] = useState<Step>({ is: 'loading' });
  const [failure, setFailure] = useState<unknown>();
  const hasStarted = useRef(false);
  const title = useFocusedTitle(step.is === 'joined' || step.is === 'member');

  async function load() {
    try {
      const details = await app.getTeamInvitationDetails(code);
      if (details.status === 'ok') setStep({ is: 'ready', team: details.data.teamDisplayName });
      else setStep({ is: 'failed' });
    } catch (error) {
      setFailure(error);
      setStep({ is: error instanceof RequestError ? 'offline' : 'failed' });
    }
  }

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void load();
  });

  async function join(team: string) {
    try {
      const result = await app.acceptTeamInvitation(code);
      setStep(result.status === 'ok' ? { is: 'joined', team } : { is: 'failed' });
    } catch (error) {
      // The card shows that the server is unreachable, and the click can be repeated.
      if (error instanceof RequestError) throw error;
      setStep(isKnown(error, 'TEAM_MEMBERSHIP_ALREADY_EXISTS') ? { is: 'member', team } : { is: 'failed' });
    }
  }

  switch (step.is) {
    case 'loading':
      return <WaitingCard label="page.loading" />;
    case 'offline':
      return <FailedCard error={failure} retry={load} />;
    case 'failed':
      return <UnknownErrorCard />;
    case 'ready':
      return (
        <ActionCard
          title={translate('invitation.title')}
          primaryButtonText={translate('invitation.join')}
          primaryAction={() => join(step.team)}
          secondaryButtonText={translate('invitation.ignore')}
          secondaryAction={goHome}
        >
          <p className="tss:text-pretty">
            {translate('invitation.to')} <TeamName>{step.team}</TeamName>
          </p>
        </ActionCard>
      );
    case 'joined':
    case 'member':
      return (
        <ActionCard
          title={translate(step.is === 'joined' ? 'invitation.joined' : 'invitation.member')}
          titleRef={title}
          primaryButtonText={translate('action.home')}
          primaryAction={goHome}
        >
          <p className="tss:text-pretty">
            {translate('invitation.team')} <TeamName>{step.team}</TeamName>
          </p>
        </ActionCard>
      );
  }
}

/** Isolated from our own text: the name is user input in a script of any direction. */
function TeamName({ children }: { children: string }) {
  return <bdi className="tss:font-medium tss:text-card-foreground tss:wrap-anywhere">{children}</bdi>;
}
