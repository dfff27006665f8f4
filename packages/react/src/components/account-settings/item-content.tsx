import type { ReactNode } from 'react';
import { useTranslate } from '../../words/translate.tsx';
import { Auth } from './auth/auth.tsx';
import type { OwnSection, SettingsItem, SettingsProps } from './items.ts';
import { Notifications } from './notifications.tsx';
import { Hint } from './parts/parts.tsx';
import { Profile } from './profile/profile.tsx';
import { Sessions } from './sessions/sessions.tsx';
import { Settings } from './settings.tsx';
import { TeamPage } from './team/team-page.tsx';
import { TeamForm } from './team-form.tsx';
import { UserApiKeys } from './user-api-keys.tsx';

/** The content beside the list. */
export function ItemContent({ item, ...props }: SettingsProps & { item: SettingsItem }): ReactNode {
  const { user, project, extraItems } = props;
  switch (item.is) {
    case 'own':
      return ownContent[item.id](props);
    case 'extra':
      return extraItems[item.index]?.content;
    case 'team':
      return <TeamPage user={user} team={item.team} config={project.config} />;
    case 'team-creation':
      return (
        <TeamForm
          user={user}
          created={id => {
            window.location.hash = `#team-${id}`;
          }}
        />
      );
  }
}

const ownContent: Record<OwnSection, (props: SettingsProps) => ReactNode> = {
  profile: ({ user }) => <Profile user={user} />,
  auth: ({ user, project, isDemo }) =>
    isDemo ? <NotInDemo /> : <Auth user={user} config={project.config} projectName={project.displayName} />,
  notifications: ({ user }) => <Notifications user={user} />,
  sessions: ({ user }) => <Sessions user={user} />,
  'api-keys': ({ user }) => <UserApiKeys user={user} />,
  settings: ({ user, project }) => <Settings user={user} project={project} />,
};

function NotInDemo() {
  const translate = useTranslate();
  return <Hint>{translate('settings.demo')}</Hint>;
}
