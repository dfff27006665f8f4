import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

interface DisclosureProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Content that a click shows. */
export function Disclosure({ label, children }: DisclosureProps) {
  return (
    <details className="tss:group tss:text-sm">
      <summary className="tss:flex tss:min-h-11 tss:cursor-pointer tss:items-center tss:gap-1 tss:font-medium">
        <ChevronRight aria-hidden size={16} className="tss:group-open:rotate-90 tss:rtl:-scale-x-100" />
        {label}
      </summary>
      {children}
    </details>
  );
}
