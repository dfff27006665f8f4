import { type ComponentPropsWithoutRef, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { useBrowserLayoutEffect } from '../theme/browser-layout-effect.ts';
import { ThemeRoot } from '../theme/theme-root.tsx';

type PageProps = ComponentPropsWithoutRef<'div'> & {
  /** Fills the rest of the window, and paints the background. Otherwise inline, without padding. */
  fullPage?: boolean;
  /** As wide as a page with a list beside its content. */
  wide?: boolean;
};

/** The root of a page: one column for a Card whose content is up to 380 pixels wide. */
function Page({ fullPage = false, wide = false, className, children, ...rest }: PageProps) {
  const ref = useRef<HTMLDivElement>(null);

  useBrowserLayoutEffect(() => {
    const root = ref.current?.parentElement;
    if (!fullPage || !root) return;
    // The height above the page belongs to the host, for example its header, and so does the margin of its body below.
    const top = root.getBoundingClientRect().top + window.scrollY;
    const bottom = Number.parseFloat(getComputedStyle(document.body).marginBottom);
    root.style.setProperty('--tessera-host', `${Math.round(top + bottom)}px`);
  }, [fullPage]);

  const Column = fullPage ? 'main' : 'div';

  return (
    <ThemeRoot paintsPage={fullPage} className={classNames(wide && 'tessera-page-wide', className)} {...rest}>
      <Column
        ref={ref}
        className={classNames(
          'tessera-column tss:mx-auto tss:grid tss:w-full tss:grid-cols-[minmax(0,1fr)] tss:gap-6',
          wide ? 'tss:max-w-240' : 'tss:max-w-column',
        )}
      >
        {children}
      </Column>
    </ThemeRoot>
  );
}

export { Page, type PageProps };
