import { classNames } from '@tessera/ui';
import { type ComponentPropsWithoutRef, type ReactNode, useId } from 'react';

type PanelProps = Omit<ComponentPropsWithoutRef<'section'>, 'title'> & {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons at the end of the title's line. */
  readonly actions?: ReactNode;
};

/** A titled part of a page. */
export function Panel({ title, description, actions, className, children, ...rest }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'tss:grid tss:grid-cols-[minmax(0,1fr)] tss:content-start tss:gap-4 tss:rounded-xl tss:border tss:border-border tss:bg-card tss:p-5 tss:text-card-foreground',
        className,
      )}
      {...rest}
    >
      <div className="tss:flex tss:flex-wrap tss:items-center tss:justify-between tss:gap-3">
        <div className="tss:grid tss:gap-1">
          <h2 id={id} className="tss:font-semibold">
            {title}
          </h2>
          {description && <p className="tss:text-sm tss:text-muted-foreground">{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
