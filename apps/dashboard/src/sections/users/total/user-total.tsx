import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../../data/owner.tsx';
import { userTotalQuery } from '../queries.ts';
import { type Matches, totalWords } from './total-words.ts';

/**
 * The number of users of the project, and of the loaded ones that match: the server counts users as they come and go, but the
 * matches of a filter only by reading them.
 *
 * @param matches undefined without a filter, and until the first page is loaded
 */
export function UserTotal({ matches }: { readonly matches: Matches | undefined }) {
  const { data: total } = useQuery(userTotalQuery(useProject()));
  if (total === undefined) return null;
  return (
    <p role="status" className="tss:text-sm tss:text-muted-foreground">
      {matches === undefined ? totalWords.total(total) : totalWords.matching(matches, total)}
    </p>
  );
}
