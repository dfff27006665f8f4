import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from '../class-names.ts';

/**
 * The buttons at the end of a card, form or dialog. The primary one is the last child: it is at the end of the line, and on
 * top where the buttons wrap. Each has `tss:flex-auto`.
 */
function Actions({ className, ...rest }: ComponentPropsWithoutRef<'div'>) {
  return (
    <div className={classNames('tessera-actions tss:flex tss:flex-wrap-reverse tss:gap-3', className)} {...rest} />
  );
}

export { Actions };
