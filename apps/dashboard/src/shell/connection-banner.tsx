import { onlineManager, type Query, useQueryClient } from '@tanstack/react-query';
import { Button, classNames } from '@tessera/ui';
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { readConfig } from '../config.ts';
import { serverAnswers } from '../data/browser/reload-page.ts';
import { isServerAway, problemWords, traceIdOf } from '../data/problem-words.ts';
import { words } from '../words.ts';

const retryMs = 10_000;
/** The client repeats a request for longer than this before a page says that it failed. */
const slowMs = 4_000;

/**
 * Says that values may be old: the device is offline, the server does not answer, or a value that is shown could not be read
 * again. One message for all of them; only what was never read has a message in its place. The caller keeps it in the window.
 */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(
    listener => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  const { failure, retry } = useFailedReads();
  const isServerDown = isServerAway(failure);
  const isSlow = useSlowLoad();

  useEffect(() => {
    if (!isServerDown) return;
    // Not the reads themselves: each failed one would show its placeholder meanwhile.
    const timer = setInterval(async () => {
      if (await serverAnswers(readConfig().base, window.fetch.bind(window))) retry();
    }, retryMs);
    return () => clearInterval(timer);
  }, [isServerDown, retry]);

  if (isOnline && failure === null) {
    return isSlow && <Banner className="tss:bg-muted tss:text-foreground">{words.connection.slow}</Banner>;
  }
  return (
    <Banner className="tss:bg-destructive tss:text-destructive-foreground">
      {!isOnline ? words.connection.offline : isServerDown ? words.connection.serverDown : <Stale error={failure} />}
      {isOnline && !isServerDown && (
        <Button variant="secondary" size="sm" className="tss:ms-3" onClick={retry}>
          {words.problem.retry}
        </Button>
      )}
    </Banner>
  );
}

function Banner({ className, children }: { readonly className: string; readonly children: ReactNode }) {
  return (
    <div
      role="status"
      className={classNames('tss:px-4 tss:py-2 tss:text-center tss:text-sm tss:wrap-anywhere', className)}
    >
      {children}
    </div>
  );
}

function Stale({ error }: { readonly error: unknown }) {
  const traceId = traceIdOf(error);
  return (
    <>
      {words.connection.stale} {problemWords(error)} {traceId !== undefined && words.problem.traceId(traceId)}
    </>
  );
}

/** Why a shown value may be old, and a function that reads again all shown values whose last read failed. */
function useFailedReads() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const failure = useSyncExternalStore(
    listener => cache.subscribe(listener),
    () => failureOf(cache.getAll().filter(hasFailed)),
  );
  const retry = useCallback(() => void client.refetchQueries({ type: 'active', predicate: hasFailed }), [client]);
  return { failure, retry };
}

/** Whether a value that is not shown yet has been loading for some seconds. */
function useSlowLoad(): boolean {
  const cache = useQueryClient().getQueryCache();
  const isLoading = useSyncExternalStore(
    listener => cache.subscribe(listener),
    () => cache.getAll().some(isFirstLoad),
  );
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);
  return isSlow;
}

const isFirstLoad = (query: Query) =>
  query.isActive() && query.state.status === 'pending' && query.state.fetchStatus === 'fetching';

const hasFailed = (query: Query) => query.isActive() && query.state.status === 'error';

/** That the server does not answer comes first. A list says itself that its next page failed. */
function failureOf(failed: readonly Query[]): Error | null {
  const query =
    failed.find(({ state }) => isServerAway(state.error)) ??
    failed.find(({ state }) => state.data !== undefined && state.fetchMeta?.fetchMore === undefined);
  return query?.state.error ?? null;
}
