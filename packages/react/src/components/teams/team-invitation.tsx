import { isKnown, RequestError } from '@tessera/client';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserReading } from '../../hooks/read-state.ts';
import { useSay } from '../../words/say.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FailedCard, UnknownErrorCard, useWaysOn } from '../cards/predefined-cards.tsx';
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

/** The page that the link in an invitation leads to. */
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
  const user = useUserReading();

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
          // Somebody else, another account: ask again.
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
  const say = useSay();
  const { goHome } = useWaysOn();

  return (
    <ActionCard
      title={say('invitation.title')}
      primaryButtonText={say('action.signIn')}
      primaryAction={() => app.redirectToSignIn()}
      secondaryButtonText={say('action.cancel')}
      secondaryAction={goHome}
    >
      <p className="tss:text-pretty">{say('invitation.signInFirst')}</p>
    </ActionCard>
  );
}

type Step = { is: 'loading' | 'failed' | 'offline' } | { is: 'ready' | 'joined' | 'member'; team: string };

function Question({ code }: { code: string }) {
  const app = useApp();
  const say = useSay();
  const { goHome } = useWaysOn();
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
      // The card says that the server is away, and the click can be repeated.
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
          title={say('invitation.title')}
          primaryButtonText={say('invitation.join')}
          primaryAction={() => join(step.team)}
          secondaryButtonText={say('invitation.ignore')}
          secondaryAction={goHome}
        >
          <p className="tss:text-pretty">
            {say('invitation.to')} <TeamName>{step.team}</TeamName>
          </p>
        </ActionCard>
      );
    case 'joined':
    case 'member':
      return (
        <ActionCard
          title={say(step.is === 'joined' ? 'invitation.joined' : 'invitation.member')}
          titleRef={title}
          primaryButtonText={say('action.home')}
          primaryAction={goHome}
        >
          <p className="tss:text-pretty">
            {say('invitation.team')} <TeamName>{step.team}</TeamName>
          </p>
        </ActionCard>
      );
  }
}

/** Set apart from our own words: whoever named the team chose it, in a script of any direction. */
function TeamName({ children }: { children: string }) {
  return <bdi className="tss:font-medium tss:text-card-foreground tss:wrap-anywhere">{children}</bdi>;
}
