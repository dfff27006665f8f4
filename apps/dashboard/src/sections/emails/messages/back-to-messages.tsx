import { BackLink } from '../../../components/page/back-link.tsx';
import { useProject } from '../../../data/owner.tsx';
import { words } from './words.ts';

export function BackToMessages() {
  const { id: projectId } = useProject();
  return (
    <BackLink to="/projects/$projectId/emails/messages" params={{ projectId }}>
      {words.back}
    </BackLink>
  );
}
