import { Badge, classNames } from '@tessera/ui';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from './words.ts';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

/** A step of the checklist with its own check. */
export function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className="tss:grid tss:grid-cols-[2.5rem_minmax(0,1fr)] tss:gap-x-3 tss:gap-y-4 tss:rounded-xl tss:border tss:border-border tss:bg-card tss:p-4 tss:text-card-foreground tss:sm:gap-x-4 tss:sm:p-5">
      <span
        aria-hidden
        className={classNames(
          'tss:grid tss:size-9 tss:place-items-center tss:rounded-full tss:text-sm tss:font-semibold',
          isDone ? 'tss:bg-primary tss:text-primary-foreground' : 'tss:bg-secondary tss:text-secondary-foreground',
        )}
      >
        {isDone ? <Check size={18} /> : number}
      </span>
      <div className="tss:flex tss:min-h-9 tss:flex-wrap tss:items-center tss:justify-between tss:gap-x-3">
        <h2 className="tss:font-semibold">{title}</h2>
        <Badge tone={isDone ? 'primary' : 'neutral'}>{isDone ? words.done : words.open}</Badge>
      </div>
      <div className="tss:col-span-full tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4 tss:sm:col-start-2">
        {children}
      </div>
    </li>
  );
}
