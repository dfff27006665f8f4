import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isServerAway } from '../data/problem-words.ts';
import { words } from '../words.ts';

/** Says that values may be old while the device is offline or the server does not answer. The caller keeps it in the window. */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(
    listener => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  const isServerDown = useIsServerDown();
  if (isOnline && !isServerDown) return null;

  return (
    <p
      role="status"
      className="tss:bg-destructive tss:px-4 tss:py-2 tss:text-center tss:text-sm tss:text-destructive-foreground"
    >
      {isOnline ? words.connection.serverDown : words.connection.offline}
    </p>
  );
}

/** Whether the last answer to any shown query was that the server does not answer. */
function useIsServerDown(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    listener => cache.subscribe(listener),
    () => cache.getAll().some(query => query.isActive() && isServerAway(query.state.error)),
  );
}
