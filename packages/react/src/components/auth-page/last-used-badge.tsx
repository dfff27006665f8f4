import { Badge } from '@tessera/ui';
import { useTranslate } from '../../words/translate.tsx';

/** Marks the sign-in method that was last used in this browser. */
export function LastUsedBadge() {
  const translate = useTranslate();
  return <Badge className="tss:ms-1">{translate('auth.lastUsed')}</Badge>;
}
