import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** A sentence that says what belongs here and how it gets here. */
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
}

/** The state of a list without entries. It teaches what the list is for. */
export function EmptyState({ title, children, icon, action }: EmptyStateProps) {
  return (
    <div className="tss:grid tss:justify-items-center tss:gap-3 tss:rounded-xl tss:border tss:border-dashed tss:border-border tss:bg-card tss:px-6 tss:py-12 tss:text-center">
      {icon && <div className="tss:text-muted-foreground tss:[&_svg]:size-8">{icon}</div>}
      <h2 className="tss:text-lg tss:font-semibold tss:text-balance">{title}</h2>
      <div className="tss:max-w-120 tss:text-sm tss:text-pretty tss:text-muted-foreground">{children}</div>
      {action && <div className="tss:mt-2 tss:flex tss:flex-wrap tss:justify-center tss:gap-2">{action}</div>}
    </div>
  );
}
