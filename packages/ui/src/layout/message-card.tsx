import type { ComponentPropsWithoutRef, ReactNode, Ref } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { Actions } from './actions.tsx';
import { Card, CardHeader, CardTitle } from './card.tsx';

type Action = () => void | Promise<void>;

type MessageCardProps = Omit<ComponentPropsWithoutRef<'section'>, 'title'> & {
  title: ReactNode;
  /** Used to move the focus to the title. */
  titleRef?: Ref<HTMLHeadingElement> | undefined;
  /** Without a text there is no button. */
  primaryButtonText?: ReactNode;
  /** The button is busy while the promise that this returns is pending. */
  primaryAction?: Action;
  secondaryButtonText?: ReactNode;
  secondaryAction?: Action;
};

/** A message that fills a page: title, text, and up to two actions. */
function MessageCard({
  title,
  titleRef,
  primaryButtonText,
  primaryAction,
  secondaryButtonText,
  secondaryAction,
  className,
  children,
  ...rest
}: MessageCardProps) {
  return (
    <Card className={classNames('tessera-message-card', className)} {...rest}>
      <CardHeader>
        <CardTitle ref={titleRef}>{title}</CardTitle>
        {children && (
          <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-3 tss:pt-1 tss:wrap-anywhere tss:text-muted-foreground">
            {children}
          </div>
        )}
      </CardHeader>
      {(primaryButtonText || secondaryButtonText) && (
        <Actions className="tessera-message-card-actions">
          {secondaryButtonText && (
            <Button variant="secondary" className="tss:flex-auto" onClick={() => secondaryAction?.()}>
              {secondaryButtonText}
            </Button>
          )}
          {primaryButtonText && (
            <Button className="tss:flex-auto" onClick={() => primaryAction?.()}>
              {primaryButtonText}
            </Button>
          )}
        </Actions>
      )}
    </Card>
  );
}

export { MessageCard, type MessageCardProps };
