import { type CurrentUser, internals } from '@tessera/client';
import { useCallback, useEffect, useState } from 'react';
import type { TypedText } from '../../form/typed-text.ts';
import { useApp } from '../../hooks/hooks.ts';
import { openStorage } from '../../storage/browser-storage.ts';
import { parseJson } from '../../storage/parse-json.ts';

/**
 * What the user had typed in a form when the session ended, e.g. on another device. It is stored in this tab until the same
 * user has signed in again.
 *
 * @returns the lost texts, and the function that receives the texts of a form that is removed
 */
export function useLostText({
  id,
}: CurrentUser): readonly [readonly TypedText[], (texts: readonly TypedText[]) => void] {
  const app = useApp();
  const key = `tessera.lost-text.${id}`;
  const [lost] = useState(() => (parseJson(openStorage('session', key).read())?.texts ?? []) as readonly TypedText[]);

  useEffect(() => openStorage('session', key).clear(), [key]);

  const keep = useCallback(
    (texts: readonly TypedText[]) => {
      const result = app[internals].user().peek();
      const hasEnded = result?.status === 'ok' && result.data?.id !== id;
      if (hasEnded && texts.length > 0) openStorage('session', key).write(JSON.stringify({ texts }));
    },
    [app, id, key],
  );
  return [lost, keep];
}
