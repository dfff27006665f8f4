import { type ComponentPropsWithoutRef, forwardRef } from 'react';
import { classNames } from '../class-names.ts';

/** A bordered surface. Its parts are stacked. */
function Card({ className, ...rest }: ComponentPropsWithoutRef<'section'>) {
  return (
    <section
      className={classNames(
        'tessera-card tss:grid tss:w-full tss:grid-cols-[minmax(0,1fr)] tss:gap-6 tss:rounded-xl tss:border tss:border-border tss:bg-card',
        'tss:p-card tss:sm:p-8 tss:text-card-foreground tss:elevation-card',
        className,
      )}
      {...rest}
    />
  );
}

/** Title and description of a card. */
function CardHeader({ className, ...rest }: ComponentPropsWithoutRef<'header'>) {
  return <header className={classNames('tessera-card-header tss:grid tss:gap-2', className)} {...rest} />;
}

/** The heading of the page. It can be focused by script, so that a page can move screen readers to a new step. */
const CardTitle = forwardRef<HTMLHeadingElement, ComponentPropsWithoutRef<'h1'>>(function CardTitle(
  { className, children, ...rest },
  ref,
) {
  return (
    <h1
      ref={ref}
      tabIndex={-1}
      className={classNames(
        'tessera-card-title tss:text-2xl tss:font-semibold tss:tracking-tight tss:text-balance tss:wrap-anywhere tss:outline-none',
        className,
      )}
      {...rest}
    >
      {children}
    </h1>
  );
});

/** A sentence under the title. */
function CardDescription({ className, ...rest }: ComponentPropsWithoutRef<'p'>) {
  return (
    <p
      className={classNames(
        'tessera-card-description tss:text-sm tss:text-pretty tss:text-muted-foreground',
        className,
      )}
      {...rest}
    />
  );
}

/** The content of a card. */
function CardContent({ className, ...rest }: ComponentPropsWithoutRef<'div'>) {
  return (
    <div
      className={classNames('tessera-card-content tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5', className)}
      {...rest}
    />
  );
}

/** The end of a card: actions, or a small centred text. */
function CardFooter({ className, ...rest }: ComponentPropsWithoutRef<'footer'>) {
  return (
    <footer
      className={classNames('tessera-card-footer tss:text-sm tss:text-center tss:text-muted-foreground', className)}
      {...rest}
    />
  );
}

export { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle };
