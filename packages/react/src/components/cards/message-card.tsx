import { ActionCard, type ActionCardProps } from './action-card.tsx';
import { PageSurface } from './surface.tsx';

/** Props of `MessageCard`. While a promise that an action returns is open, its button is busy. */
export interface MessageCardProps extends ActionCardProps {
  /** Centres the card in the window. Default: it stands inline. */
  fullPage?: boolean | undefined;
}

/** A message that fills a page: a title, some words, and up to two ways on. */
export function MessageCard({ fullPage, ...props }: MessageCardProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <ActionCard {...props} />
    </PageSurface>
  );
}
