import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly title: string;
  /** Default: `h2`. */
  readonly heading?: 'h1' | 'h2';
  /** A sentence that says what belongs here and how it gets here. */
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
}

/** The state of a list without entries. It teaches what the list is for. */
export function EmptyState({ title, heading: Heading = 'h2', children, icon, action }: EmptyStateProps) {
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:justify-items-center tss:gap-3 tss:rounded-xl tss:border tss:border-dashed tss:border-border tss:bg-card tss:px-6 tss:py-12 tss:text-center tss:wrap-anywhere">
      {icon && <div className="tss:text-muted-foreground tss:[&_svg]:size-8">{icon}</div>}
      <Heading className="tss:text-lg tss:font-semibold tss:text-balance">{title}</Heading>
      <div className="tss:max-w-120 tss:text-sm tss:text-pretty tss:text-muted-foreground">{children}</div>
      {action && <div className="tss:mt-2 tss:flex tss:flex-wrap tss:justify-center tss:gap-2">{action}</div>}
    </div>
  );
}
