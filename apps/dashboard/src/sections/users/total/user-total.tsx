import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../../data/owner.tsx';
import { userTotalQuery } from '../queries.ts';
import { totalWords } from './total-words.ts';

/**
 * The number of users of the project, and of those that match where it is known: the server counts users as they come and go,
 * but the matches of a filter only by reading them.
 *
 * @param matches undefined without a filter, and while there are more pages
 */
export function UserTotal({ matches }: { readonly matches: number | undefined }) {
  const { data: total } = useQuery(userTotalQuery(useProject()));
  if (total === undefined) return null;
  return (
    <p role="status" className="tss:text-sm tss:text-muted-foreground">
      {matches === undefined ? totalWords.total(total) : totalWords.matching(matches, total)}
    </p>
  );
}
