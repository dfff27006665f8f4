import { ActionCard, type ActionCardProps } from './action-card.tsx';
import { PageSurface } from './surface.tsx';

/** Props of `MessageCard`. A button is busy while the promise of its action is pending. */
export interface MessageCardProps extends ActionCardProps {
  /** Centres the card in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** A message that fills a page: title, text, and up to two actions. */
export function MessageCard({ fullPage, ...props }: MessageCardProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <ActionCard {...props} />
    </PageSurface>
  );
}
