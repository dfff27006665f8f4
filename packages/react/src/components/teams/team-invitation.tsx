import { type CurrentUser, RequestError, type TeamInvitationPreview } from '@tessera/client';
import { hasCode } from '@tessera/client/internals';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { useDates } from '../../words/dates.ts';
import { useTranslate } from '../../words/translate.tsx';
import { isMissing } from '../account-settings/missing.ts';
import { Fact, Facts } from '../account-settings/parts/parts.tsx';
import { useLoad } from '../account-settings/parts/use-load.ts';
import { roleName } from '../account-settings/team/role-names.ts';
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
import { type CodeOutcome, codeOutcome, outcomeOf } from '../codes/code-outcome.ts';

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
  const reading = useLoad(() => readInvitation(app, code));

  if (user.value === undefined) {
    return user.error === undefined ? (
      <WaitingCard label="page.loading" />
    ) : (
      <FailedCard error={user.error} retry={user.retry} />
    );
  }
  if (reading.error instanceof RequestError) return <FailedCard error={reading.error} retry={reading.retry} />;
  // Thrown while rendering, so that it reaches the error boundary.
  if (reading.error !== undefined) throw reading.error;
  if (reading.value === undefined) return <WaitingCard label="code.checkingLink" />;

  const { outcome, invitation } = reading.value;
  if (outcome !== 'ok') return <DeadLinkCard outcome={outcome} advice="invitation.again" />;
  if (user.value === null) return <SignInFirstCard invitation={invitation} />;
  // After a change of account: ask again.
  if (invitation) return <Question key={user.value.id} code={code} user={user.value} invitation={invitation} />;
  return (
    <CheckedCode check={() => outcomeOf(app.verifyTeamInvitationCode(code))}>
      {checked =>
        checked === 'ok' ? (
          <Question key={user.value?.id} code={code} user={user.value} />
        ) : (
          <DeadLinkCard outcome={checked} advice="invitation.again" />
        )
      }
    </CheckedCode>
  );
}

interface ReadInvitation {
  readonly outcome: CodeOutcome;
  /** Undefined on a server that tells only signed-in users about an invitation. */
  readonly invitation?: TeamInvitationPreview;
}

async function readInvitation(app: ReturnType<typeof useApp>, code: string): Promise<ReadInvitation> {
  try {
    const result = await app.readTeamInvitation(code);
    return result.status === 'ok' ? { outcome: 'ok', invitation: result.data } : { outcome: codeOutcome(result) };
  } catch (error) {
    if (hasCode(error, 'SCHEMA_ERROR')) return { outcome: 'invalid' };
    if (isMissing(error)) return { outcome: 'ok' };
    throw error;
  }
}

function SignInFirstCard({ invitation }: { invitation: TeamInvitationPreview | undefined }) {
  const app = useApp();
  const translate = useTranslate();
  const { signIn } = useNextActions();

  return (
    <ActionCard
      title={translate('invitation.title')}
      actions={[
        { ...signIn, go: () => app.redirectToSignIn() },
        { text: translate('action.signUp'), go: () => app.redirectToSignUp() },
      ]}
    >
      {invitation && <InvitationText team={invitation.teamDisplayName} invitation={invitation} />}
      <p className="tss:text-pretty">{translate('invitation.signInFirst')}</p>
    </ActionCard>
  );
}

type Step = { is: 'loading' | 'failed' | 'offline' } | { is: 'ready' | 'joined' | 'member'; team: string };

interface QuestionProps {
  code: string;
  user: CurrentUser | null | undefined;
  invitation?: TeamInvitationPreview;
}

function Question({ code, user, invitation }: QuestionProps) {
  const app = useApp();
  const translate = useTranslate();
  const { home } = useNextActions();
  const [step, setStep] = useState<Step>(
    invitation ? { is: 'ready', team: invitation.teamDisplayName } : { is: 'loading' },
  );
  const [failure, setFailure] = useState<unknown>();
  const hasStarted = useRef(invitation !== undefined);
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
      setStep(hasCode(error, 'TEAM_MEMBERSHIP_ALREADY_EXISTS') ? { is: 'member', team } : { is: 'failed' });
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
          actions={[
            { text: translate('invitation.join'), go: () => join(step.team) },
            { ...home, text: translate('invitation.ignore') },
          ]}
        >
          <InvitationText team={step.team} invitation={invitation} />
          {invitation && user?.primaryEmail && user.primaryEmail !== invitation.recipientEmail && (
            <p className="tss:text-sm tss:text-pretty tss:wrap-anywhere">
              {translate('invitation.signedInAs', { email: user.primaryEmail })}
            </p>
          )}
        </ActionCard>
      );
    case 'joined':
    case 'member':
      return (
        <ActionCard
          title={translate(step.is === 'joined' ? 'invitation.joined' : 'invitation.member')}
          titleRef={title}
          actions={[home]}
        >
          <p className="tss:text-pretty">
            {translate('invitation.team')} <TeamName>{step.team}</TeamName>
          </p>
        </ActionCard>
      );
  }
}

interface InvitationTextProps {
  team: string;
  invitation: TeamInvitationPreview | undefined;
}

/** Who invites whom to what, as the email says. */
function InvitationText({ team, invitation }: InvitationTextProps) {
  const translate = useTranslate();
  const dates = useDates();
  const inviter = invitation?.invitedBy;

  return (
    <>
      <p className="tss:text-pretty tss:wrap-anywhere">
        {inviter ? translate('invitation.by', { name: inviter }) : translate('invitation.to')}{' '}
        <TeamName>{team}</TeamName>
      </p>
      {invitation && (
        <Facts>
          {invitation.roleId !== null && (
            <Fact name={translate('team.role')}>{roleName(invitation.roleId, translate)}</Fact>
          )}
          <Fact name={translate('invitation.sentTo')}>
            <bdi>{invitation.recipientEmail}</bdi>
          </Fact>
          <Fact name={translate('keys.expires')}>{dates.day(invitation.expiresAt)}</Fact>
        </Facts>
      )}
    </>
  );
}

/** Isolated from our own text: the name is user input in a script of any direction. */
function TeamName({ children }: { children: string }) {
  return <bdi className="tss:font-medium tss:text-card-foreground tss:wrap-anywhere">{children}</bdi>;
}
