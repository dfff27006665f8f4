import { FormSummary, MessageCard } from '@tessera/ui';
import { type ReactNode, type Ref, useState } from 'react';
import { errorWords } from '../words/error-words.ts';
import { useSay } from '../words/say.tsx';

type Action = () => void | Promise<void>;

export interface ActionCardProps {
  title: ReactNode;
  /** For moving the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  primaryButtonText?: ReactNode;
  primaryAction?: Action | undefined;
  secondaryButtonText?: ReactNode;
  secondaryAction?: Action | undefined;
  children?: ReactNode;
}

/** A message card whose actions may fail: then it says why, and they can be tried again. */
export function ActionCard({ primaryAction, secondaryAction, children, ...props }: ActionCardProps) {
  const say = useSay();
  const [failure, setFailure] = useState<unknown>();

  async function attempt(action: Action | undefined) {
    setFailure(undefined);
    try {
      await action?.();
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <MessageCard
      {...props}
      primaryAction={() => attempt(primaryAction)}
      secondaryAction={() => attempt(secondaryAction)}
    >
      {children}
      {failure !== undefined && <FormSummary title={errorWords(failure, say)} />}
    </MessageCard>
  );
}
