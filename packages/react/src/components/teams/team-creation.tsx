import { useApp } from '../../hooks/hooks.ts';
import { useProjectState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { TeamForm } from '../account-settings/team-form.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FormCard } from '../cards/form-card.tsx';
import { useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { LoadingCard } from '../cards/waiting-card.tsx';
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

  if (!user.value || project.value === undefined) return <LoadingCard of={[project, user]} />;
  if (!project.value.config.clientTeamCreationEnabled) {
    return <ActionCard title={translate('team.create')} actions={[home]} text={translate('team.createOff')} />;
  }
  return (
    <FormCard title={translate('team.create')}>
      <TeamForm user={user.value} created={id => goTo(`${urls.accountSettings}#team-${id}`)} />
    </FormCard>
  );
}
