import { cleanup, screen } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import { ClientApp } from '../app/apps.ts';
import { useUser } from '../hooks/hooks.ts';
import { stubServer } from './stub-server.ts';

const ada = { email: 'ada@example.com', password: 'violet harbour 93 lamp' };

const minuteMs = 60_000;

/**
 * The client remembers redirects of the last ten seconds, also for the next file of the same worker. Each test begins a
 * minute after the one before, so that their redirects together are no redirect loop.
 */
let minutes = 0;

/** A real router in one document: records page loads, and is stopped after each test. */
export function routerScene() {
  const assign = vi.fn();
  const stops: (() => void)[] = [];

  beforeEach(() => {
    const server = stubServer();
    server.addAccount(ada.email, ada.password);
    vi.stubGlobal('fetch', server.fetch);
    minutes++;
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() + minutes * minuteMs });
    vi.spyOn(window.location, 'assign').mockImplementation(assign);
  });
  afterEach(() => {
    cleanup();
    for (const stop of stops.splice(0)) stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    assign.mockClear();
  });
  return { assign, stops };
}

/** An app whose pages lie below `base`. */
export function routedApp(
  redirectMethod: NonNullable<ConstructorParameters<typeof ClientApp>[0]['redirectMethod']>,
  base = '',
) {
  return new ClientApp({
    baseUrl: 'http://localhost:4280',
    projectId: 'p',
    publishableClientKey: 'pk',
    tokenStore: 'memory',
    redirectMethod,
    urls: { handler: `${base}/handler`, home: base || '/', afterSignOut: base || '/', afterSignIn: `${base}/notes` },
  });
}

/** A page for signed-in users. */
export function Notes() {
  return <p>Notes of {useUser({ or: 'redirect' }).primaryEmail}</p>;
}

export const here = () => window.location.pathname + window.location.search;
export const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

export async function signIn(visitor: ReturnType<typeof userEvent.setup>) {
  await visitor.type(await screen.findByLabelText('Email'), ada.email);
  await visitor.type(screen.getByLabelText('Password', { selector: 'input' }), ada.password);
  await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
}
