import { Badge } from '@tessera/ui';
import { useTranslate } from '../../words/translate.tsx';

/** Marks the way in that was taken last with this browser. */
export function LastUsedBadge() {
  const translate = useTranslate();
  return <Badge className="tss:ms-1">{translate('auth.lastUsed')}</Badge>;
}
