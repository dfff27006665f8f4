import { BackLink } from '../../components/page/back-link.tsx';
import { useProject } from '../../data/owner.tsx';
import { eventWords } from './event-words.ts';

/** The way back from an event to the log. */
export function BackToLog() {
  const project = useProject();
  return (
    <BackLink to="/projects/$projectId/audit-log" params={{ projectId: project.id }}>
      {eventWords.detail.back}
    </BackLink>
  );
}
