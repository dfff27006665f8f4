import { Card, CardContent, CardHeader, CardTitle } from '@tessera/ui';
import { useApp } from '../../hooks/hooks.ts';
import { useProjectState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { TeamForm } from '../account-settings/team-form.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FailedCard, useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { WaitingCard } from '../codes/code-link.tsx';
import { useNavigateTo } from '../navigation/use-go-to.ts';
import { useRequiredUser } from '../navigation/use-required-user.ts';

/** Props of `TeamCreation`. */
export interface TeamCreationProps {
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** The page that creates a team. It leads to the settings of the new team. */
export function TeamCreation({ fullPage }: TeamCreationProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <Creation />
    </PageSurface>
  );
}

function Creation() {
  const { urls } = useApp();
  const translate = useTranslate();
  const goTo = useNavigateTo();
  const { home } = useNextActions();
  const user = useRequiredUser();
  const project = useProjectState();

  const error = project.error ?? user.error;
  if (!user.value || project.value === undefined) {
    const retry = async () => void (await Promise.all([user.retry(), project.retry()]));
    return error === undefined ? <WaitingCard label="page.loading" /> : <FailedCard error={error} retry={retry} />;
  }
  if (!project.value.config.clientTeamCreationEnabled) {
    return <ActionCard title={translate('team.create')} actions={[home]} text={translate('team.createOff')} />;
  }
  return (
    <Card>
      <CardHeader>
        <CardTitle>{translate('team.create')}</CardTitle>
      </CardHeader>
      <CardContent>
        <TeamForm user={user.value} created={id => goTo(`${urls.accountSettings}#team-${id}`)} />
      </CardContent>
    </Card>
  );
}
