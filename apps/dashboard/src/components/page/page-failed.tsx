import type { ErrorComponentProps } from '@tanstack/react-router';
import { RequestError } from '@tessera/client';
import { ThemeRoot } from '@tessera/ui';
import { createContext, use, useEffect, useState } from 'react';
import { readConfig } from '../../config.ts';
import { isMissingCode, type ReloadDeps, reloadOnce, reloadPage } from '../../data/browser/reload-page.ts';
import { words } from '../../words.ts';
import { ContentSkeleton } from './content-skeleton.tsx';
import { Problem } from './problem.tsx';

/** Whether the page is in a shell, which stays when the page fails. */
export const InShellContext = createContext(false);

/** A page whose code could not be loaded or that failed while rendering. */
export function PageFailed({ error }: Pick<ErrorComponentProps, 'error'>) {
  const isInShell = use(InShellContext);
  if (isInShell) return <Failure error={error} />;
  return (
    <ThemeRoot>
      <main className="tss:mx-auto tss:max-w-160 tss:p-6">
        <Failure error={error} />
      </main>
    </ThemeRoot>
  );
}

/** "Try again" loads the whole page, with its code. For code that is missing, as after an upgrade, this happens by itself once, and when the device is online again. */
function Failure({ error }: Pick<ErrorComponentProps, 'error'>) {
  const missing = isMissingCode(error) ? error.message : undefined;
  const [state, setState] = useState<'checks' | 'failed' | 'server-down'>(missing === undefined ? 'failed' : 'checks');

  useEffect(() => {
    if (missing === undefined) return;
    void reloadOnce(readConfig().base, missing, browserDeps()).then(result => {
      if (result !== 'reloads') setState(result === 'server-down' ? result : 'failed');
    });
  }, [missing]);

  useEffect(() => {
    if (state !== 'server-down') return;
    const listener = () => void reloadPage(readConfig().base, browserDeps());
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, [state]);

  async function retry() {
    if ((await reloadPage(readConfig().base, browserDeps())) === 'server-down') setState('server-down');
  }

  if (state === 'checks') return <ContentSkeleton />;
  const isDown = state === 'server-down';
  return (
    <Problem
      heading="h1"
      title={isDown || missing !== undefined ? words.problem.title : words.problem.pageTitle}
      error={isDown ? new RequestError('unreachable', 'The server does not answer.') : error}
      retry={retry}
    />
  );
}

function browserDeps(): ReloadDeps {
  return {
    fetch: (...request) => window.fetch(...request),
    storage: window.sessionStorage,
    reload: () => window.location.reload(),
  };
}
