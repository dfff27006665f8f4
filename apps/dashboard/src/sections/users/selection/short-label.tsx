/** The label of a button in the bar of selected users. On a phone only its first word is visible, so that one row is enough. */
export function ShortLabel({ text }: { readonly text: string }) {
  return (
    <span>
      <span className="tss:sm:hidden" aria-hidden>
        {text.split(' ', 1)}
      </span>
      <span className="tss:sr-only tss:sm:not-sr-only">{text}</span>
    </span>
  );
}
