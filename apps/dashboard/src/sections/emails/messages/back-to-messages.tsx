import { Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { ArrowLeft } from 'lucide-react';
import { useProject } from '../../../data/owner.tsx';
import { words } from './words.ts';

export function BackToMessages() {
  const { id: projectId } = useProject();
  return (
    <Link
      to="/projects/$projectId/emails/messages"
      params={{ projectId }}
      className={buttonClass(
        { variant: 'link' },
        'tss:inline-flex tss:items-center tss:gap-1 tss:justify-self-start tss:text-sm',
      )}
    >
      <ArrowLeft aria-hidden size={14} />
      {words.back}
    </Link>
  );
}
