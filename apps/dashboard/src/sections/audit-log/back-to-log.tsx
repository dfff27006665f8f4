import { Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { ArrowLeft } from 'lucide-react';
import { useProject } from '../../data/owner.tsx';
import { eventWords } from './event-words.ts';

/** The way back from an event to the log. */
export function BackToLog() {
  const project = useProject();
  return (
    <Link
      to="/projects/$projectId/audit-log"
      params={{ projectId: project.id }}
      className={buttonClass(
        { variant: 'link' },
        'tss:inline-flex tss:items-center tss:gap-1 tss:justify-self-start tss:text-sm',
      )}
    >
      <ArrowLeft aria-hidden size={14} />
      {eventWords.detail.back}
    </Link>
  );
}
