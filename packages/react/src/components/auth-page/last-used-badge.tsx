import { Badge } from '@tessera/ui';
import { useSay } from '../../words/say.tsx';

/** Marks the way in that was taken last with this browser. */
export function LastUsedBadge() {
  const say = useSay();
  return <Badge className="tss:ms-1">{say('auth.lastUsed')}</Badge>;
}
