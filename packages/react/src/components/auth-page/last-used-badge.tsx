import { Badge } from '@tessera/ui';
import { useTranslate } from '../../words/translate.tsx';

/** Marks the sign-in method that was last used in this browser. */
export function LastUsedBadge() {
  const translate = useTranslate();
  return <Badge className="tss:absolute tss:end-2 tss:-top-2.5">{translate('auth.lastUsed')}</Badge>;
}
