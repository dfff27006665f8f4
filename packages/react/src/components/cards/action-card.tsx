import { MessageCard } from '@tessera/ui';
import type { ReactNode, Ref } from 'react';
import { useAttempt } from '../../form/use-attempt.tsx';

/** A button of a card: its text, and what it does. */
export interface CardAction {
  readonly text: ReactNode;
  readonly go: (() => void | Promise<void>) | undefined;
}

interface ActionCardProps {
  title: ReactNode;
  /** Used to move the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  /** The sentence of the card. */
  text?: ReactNode;
  /** The primary action, then another one. */
  actions?: readonly [primary?: CardAction, secondary?: CardAction | undefined] | undefined;
  children?: ReactNode;
}

/** A message card whose actions may fail. It shows the failure, and the action can be repeated. */
export function ActionCard({ text, actions = [], children, ...props }: ActionCardProps) {
  const [primary, secondary] = actions;
  const { attempt, failure } = useAttempt();

  return (
    <MessageCard
      {...props}
      primaryButtonText={primary?.text}
      primaryAction={async () => void (await attempt(() => primary?.go?.()))}
      secondaryButtonText={secondary?.text}
      secondaryAction={async () => void (await attempt(() => secondary?.go?.()))}
    >
      {text && <p className="tss:text-pretty">{text}</p>}
      {children}
      {failure}
    </MessageCard>
  );
}
