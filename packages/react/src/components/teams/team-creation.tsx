import { Card, CardContent, CardHeader, CardTitle } from '@tessera/ui';
import { useApp } from '../../hooks/hooks.ts';
import { useProjectReading } from '../../hooks/read-state.ts';
import { useSay } from '../../words/say.tsx';
import { TeamForm } from '../account-settings/team-form.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FailedCard, useWaysOn } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { WaitingCard } from '../codes/code-link.tsx';
import { useGoTo } from '../navigation/use-go-to.ts';
import { useRequiredUser } from '../navigation/use-required-user.ts';

/** Props of `TeamCreation`. */
export interface TeamCreationProps {
  /** Centres the page in the window. Default: it stands inline. */
  fullPage?: boolean | undefined;
}

/** A page of its own for creating a team. Leads to the new team's settings. */
export function TeamCreation({ fullPage }: TeamCreationProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <Creation />
    </PageSurface>
  );
}

function Creation() {
  const { urls } = useApp();
  const say = useSay();
  const goTo = useGoTo();
  const { goHome } = useWaysOn();
  const user = useRequiredUser();
  const project = useProjectReading();

  const error = project.error ?? user.error;
  if (!user.value || project.value === undefined) {
    const retry = async () => void (await Promise.all([user.retry(), project.retry()]));
    return error === undefined ? <WaitingCard label="page.loading" /> : <FailedCard error={error} retry={retry} />;
  }
  if (!project.value.config.clientTeamCreationEnabled) {
    return (
      <ActionCard title={say('team.create')} primaryButtonText={say('action.home')} primaryAction={goHome}>
        <p className="tss:text-pretty">{say('team.createOff')}</p>
      </ActionCard>
    );
  }
  return (
    <Card>
      <CardHeader>
        <CardTitle>{say('team.create')}</CardTitle>
      </CardHeader>
      <CardContent>
        <TeamForm user={user.value} created={id => goTo(`${urls.accountSettings}#team-${id}`)} />
      </CardContent>
    </Card>
  );
}
