import { type ReactNode, useId, useRef } from 'react';
import { useBrowserLayoutEffect } from './theme/browser-layout-effect.ts';

type DialogProps = {
  title: ReactNode;
  /** Called for the Escape key. Without it the dialog closes only by its own buttons. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
};

/**
 * A modal dialog, open for as long as it is rendered. The browser keeps the keyboard focus inside and restores the
 * previous focus afterwards. A click beside the dialog does nothing, so a slip loses no input.
 */
function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(ref);

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // Chromium ignores preventDefault at the second Escape in a row.
      closedby={onClose ? undefined : 'none'}
      className="tessera-dialog tss:m-auto tss:w-[min(100%_-_32px,480px)] tss:max-h-[calc(100dvh-32px)] tss:overflow-y-auto tss:rounded-xl tss:border tss:border-border tss:bg-popover tss:p-card tss:text-popover-foreground tss:elevation-menu tss:backdrop:bg-[rgb(0_0_0/0.5)]"
      onCancel={event => {
        // The parent closes the dialog by not rendering it; the browser must not close it.
        event.preventDefault();
        onClose?.();
      }}
      // Chromium before 134 does not know closedby, and has closed the dialog. The event also follows the double mounting
      // of StrictMode, when the dialog is open again: older browsers throw for an open one.
      onClose={() => ref.current?.open === false && ref.current.showModal()}
    >
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5">
        <h2
          id={titleId}
          className="tss:text-xl tss:font-semibold tss:tracking-tight tss:text-balance tss:wrap-anywhere"
        >
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

function useModal(ref: { readonly current: HTMLDialogElement | null }) {
  useBrowserLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // close() restores the focus, removal from the document does not.
    return () => dialog?.close();
  }, [ref]);
}

export { Dialog, type DialogProps };
