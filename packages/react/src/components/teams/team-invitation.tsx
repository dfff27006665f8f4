import { type CurrentUser, RequestError, type TeamInvitationPreview } from '@tessera/client';
import { hasCode } from '@tessera/client/internals';
import { useState } from 'react';
import { emailDraft } from '../../form/email-draft.ts';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useDates } from '../../words/dates.ts';
import { useTranslate } from '../../words/translate.tsx';
import { isMissing } from '../account-settings/missing.ts';
import { Fact, Facts } from '../account-settings/parts/parts.tsx';
import { roleName } from '../account-settings/team/role-names.ts';
import { ActionCard } from '../cards/action-card.tsx';
import { UnknownErrorCard, useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { LoadingCard } from '../cards/waiting-card.tsx';
import { type CodePageProps, codeOf, DeadLinkCard, LinkContent, useFocusedTitle } from '../codes/code-link.tsx';
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
    return <LoadingCard of={[user]} />;
  }
  const { value: account } = user;
  return (
    <LinkContent reading={reading}>
      {({ outcome, invitation }) => {
        if (outcome !== 'ok') return <DeadLinkCard outcome={outcome} advice="invitation.again" />;
        if (account === null) return <SignInFirstCard invitation={invitation} />;
        const question = { code, user: account };
        // The user is the key: after a change of account the page asks again.
        if (invitation === undefined) return <QuestionWithoutPreview key={account.id} {...question} />;
        return <Question key={account.id} {...question} team={invitation.teamDisplayName} invitation={invitation} />;
      }}
    </LinkContent>
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

/** For a server without the preview: checks the code, then reads the name of the team as the signed-in user. */
async function readTeam(app: ReturnType<typeof useApp>, code: string) {
  const outcome = await outcomeOf(app.verifyTeamInvitationCode(code));
  if (outcome !== 'ok') return { outcome };
  const details = await app.getTeamInvitationDetails(code);
  return details.status === 'ok' ? { outcome, team: details.data.teamDisplayName } : { outcome };
}

function SignInFirstCard({ invitation }: { invitation: TeamInvitationPreview | undefined }) {
  const app = useApp();
  const translate = useTranslate();
  const { signIn } = useNextActions();

  /** Both pages then have the invited address in their field. */
  function leave(redirect: () => Promise<void>) {
    if (invitation) emailDraft(app.projectId).write(invitation.recipientEmail);
    return redirect();
  }

  return (
    <ActionCard
      title={translate('invitation.title')}
      actions={[
        { ...signIn, go: () => leave(() => app.redirectToSignIn()) },
        { text: translate('action.signUp'), go: () => leave(() => app.redirectToSignUp()) },
      ]}
    >
      {invitation && <InvitationText team={invitation.teamDisplayName} invitation={invitation} />}
      <p className="tss:text-pretty">{translate('invitation.signInFirst')}</p>
    </ActionCard>
  );
}

interface QuestionProps {
  code: string;
  user: CurrentUser;
  team: string;
  invitation?: TeamInvitationPreview;
}

function QuestionWithoutPreview(props: Pick<QuestionProps, 'code' | 'user'>) {
  const app = useApp();
  const reading = useLoad(() => readTeam(app, props.code));

  return (
    <LinkContent reading={reading}>
      {({ outcome, team }) => {
        if (outcome !== 'ok') return <DeadLinkCard outcome={outcome} advice="invitation.again" />;
        return team === undefined ? <UnknownErrorCard /> : <Question {...props} team={team} />;
      }}
    </LinkContent>
  );
}

function Question({ code, user, team, invitation }: QuestionProps) {
  const app = useApp();
  const translate = useTranslate();
  const { home } = useNextActions();
  const [step, setStep] = useState<'ready' | 'joined' | 'member' | 'failed'>('ready');
  const title = useFocusedTitle(step === 'joined' || step === 'member');

  async function join() {
    try {
      const result = await app.acceptTeamInvitation(code);
      setStep(result.status === 'ok' ? 'joined' : 'failed');
    } catch (error) {
      // The card shows that the server is unreachable, and the click can be repeated.
      if (error instanceof RequestError) throw error;
      setStep(hasCode(error, 'TEAM_MEMBERSHIP_ALREADY_EXISTS') ? 'member' : 'failed');
    }
  }

  switch (step) {
    case 'failed':
      return <UnknownErrorCard />;
    case 'ready':
      return (
        <ActionCard
          title={translate('invitation.title')}
          actions={[
            { text: translate('invitation.join'), go: join },
            { ...home, text: translate('invitation.ignore') },
          ]}
        >
          <InvitationText team={team} invitation={invitation} />
          {invitation && user.primaryEmail && user.primaryEmail !== invitation.recipientEmail && (
            <p className="tss:text-sm tss:text-pretty tss:wrap-anywhere">
              {translate('invitation.signedInAs', { email: user.primaryEmail })}
            </p>
          )}
        </ActionCard>
      );
    case 'joined':
    case 'member':
      return (
        <ActionCard title={translate(`invitation.${step}`)} titleRef={title} actions={[home]}>
          {isVisible(team) && (
            <p className="tss:text-pretty">
              {translate('invitation.team')} <TeamName>{team}</TeamName>
            </p>
          )}
        </ActionCard>
      );
  }
}

interface InvitationTextProps {
  team: string;
  invitation?: TeamInvitationPreview | undefined;
}

/** Who invites whom to what, as the email says. */
function InvitationText({ team, invitation }: InvitationTextProps) {
  const translate = useTranslate();
  const dates = useDates();
  const name = invitation?.invitedBy;
  const isNamed = isVisible(team);
  const text = name
    ? translate(isNamed ? 'invitation.by' : 'team.invitedBy', { name })
    : isNamed && translate('invitation.to');

  return (
    <>
      {text && (
        <p className="tss:text-pretty tss:wrap-anywhere">
          {text} <TeamName>{team}</TeamName>
        </p>
      )}
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

/** A name of spaces or invisible characters cannot end a sentence. */
const isVisible = (name: string) => /[^\p{Z}\p{C}]/u.test(name);

/** Isolated from our own text: the name is user input in a script of any direction. */
function TeamName({ children }: { children: string }) {
  return <bdi className="tss:font-medium tss:text-card-foreground tss:wrap-anywhere">{children}</bdi>;
}
