import { Skeleton } from '@tessera/ui';
import { words } from '../../words.ts';

/** The place of a page while its code or data is loading. */
export function ContentSkeleton() {
  return (
    <div role="status" aria-label={words.table.loading} className="tss:grid tss:gap-6">
      <Skeleton className="tss:h-8 tss:w-48" />
      <Skeleton className="tss:h-12 tss:w-full" />
      <Skeleton className="tss:h-64 tss:w-full" />
    </div>
  );
}
