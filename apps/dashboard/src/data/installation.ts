import { useUser } from '@tessera/react';
import { useState } from 'react';
import type { Config } from '../config.ts';

/** What the server wrote into the page is old after the first account was created in it. */
const claimed = { isClaimed: false };

/** Whether the installation has no owner yet. */
export function useIsUnclaimed({ isUnclaimed }: Pick<Config, 'isUnclaimed'>): boolean {
  const user = useUser();
  const [before] = useState(() => claimed.isClaimed);
  if (user !== null) claimed.isClaimed = true;
  return isUnclaimed && user === null && !before;
}
