import { MessageCard } from '@tessera/ui';
import type { ReactNode, Ref } from 'react';
import { useAttempt } from '../../form/use-attempt.tsx';

type Action = () => void | Promise<void>;

export interface ActionCardProps {
  title: ReactNode;
  /** Used to move the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  primaryButtonText?: ReactNode;
  primaryAction?: Action | undefined;
  secondaryButtonText?: ReactNode;
  secondaryAction?: Action | undefined;
  children?: ReactNode;
}

/** A message card whose actions may fail. It shows the failure, and the action can be repeated. */
export function ActionCard({ primaryAction, secondaryAction, children, ...props }: ActionCardProps) {
  const { attempt, failure } = useAttempt();

  return (
    <MessageCard
      {...props}
      primaryAction={async () => void (await attempt(() => primaryAction?.()))}
      secondaryAction={async () => void (await attempt(() => secondaryAction?.()))}
    >
      {children}
      {failure}
    </MessageCard>
  );
}
