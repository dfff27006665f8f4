import { createLink } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';

function BackAnchor({ children, className, ...props }: ComponentProps<'a'>) {
  return (
    <a
      {...props}
      className={buttonClass(
        { variant: 'link' },
        `tss:inline-flex tss:items-center tss:gap-1 tss:justify-self-start tss:text-sm ${className ?? ''}`,
      )}
    >
      <ArrowLeft aria-hidden size={14} />
      {children}
    </a>
  );
}

/** The link at the top of a page to the list that contains its object. It takes a route and parameters like `Link`. */
export const BackLink = createLink(BackAnchor);
