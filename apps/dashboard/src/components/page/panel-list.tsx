import type { UseQueryResult } from '@tanstack/react-query';
import { Skeleton } from '@tessera/ui';
import type { ReactNode } from 'react';
import { Problem } from './problem.tsx';

interface PanelListProps<Item> {
  readonly query: UseQueryResult<readonly Item[]>;
  readonly itemKey: (item: Item) => string;
  readonly children: (item: Item) => ReactNode;
  /** The sentence for an empty list. */
  readonly empty: string;
}

/**
 * A short list inside a panel, with its loading, failed and empty state. A failed second read leaves the items, whose dialogs
 * may be open: the banner of the shell says that they may be old.
 */
export function PanelList<Item>(props: PanelListProps<Item>) {
  const { query } = props;
  if (query.isPending) return <Skeleton className="tss:h-16" />;
  return (
    <>
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && <Items {...props} items={query.data} />}
    </>
  );
}

type ItemsProps<Item> = PanelListProps<Item> & { readonly items: readonly Item[] };

function Items<Item>({ items, itemKey, children, empty }: ItemsProps<Item>) {
  if (items.length === 0) return <p className="tss:text-sm tss:text-muted-foreground">{empty}</p>;
  return (
    <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
      {items.map(item => (
        <li
          key={itemKey(item)}
          className="tss:flex tss:min-h-12 tss:flex-wrap tss:items-center tss:gap-x-3 tss:gap-y-1 tss:border-t tss:border-border tss:py-2 tss:text-sm tss:first:border-t-0"
        >
          {children(item)}
        </li>
      ))}
    </ul>
  );
}
