import type { ReactNode, Ref } from 'react';
import { ActionCard } from './action-card.tsx';
import { PageSurface } from './surface.tsx';

type Action = () => void | Promise<void>;

/** Props of `MessageCard`. A button is busy while the promise of its action is pending. */
export interface MessageCardProps {
  title: ReactNode;
  /** Used to move the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  primaryButtonText?: ReactNode;
  primaryAction?: Action | undefined;
  secondaryButtonText?: ReactNode;
  secondaryAction?: Action | undefined;
  children?: ReactNode;
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** A message that fills a page: title, text, and up to two actions. */
export function MessageCard({ fullPage, title, titleRef, children, ...props }: MessageCardProps) {
  const primary = { text: props.primaryButtonText, go: props.primaryAction };
  const secondary = { text: props.secondaryButtonText, go: props.secondaryAction };
  return (
    <PageSurface fullPage={fullPage}>
      <ActionCard title={title} titleRef={titleRef} actions={[primary, secondary]}>
        {children}
      </ActionCard>
    </PageSurface>
  );
}
