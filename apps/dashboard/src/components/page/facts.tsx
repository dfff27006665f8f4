import type { ReactNode } from 'react';

/** Facts about one thing, below each other. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="tss:grid tss:gap-3 tss:text-sm">{children}</dl>;
}

/** One fact: its name above its value. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="tss:grid tss:gap-0.5">
      <dt className="tss:text-muted-foreground">{name}</dt>
      <dd className="tss:wrap-anywhere">{children}</dd>
    </div>
  );
}
