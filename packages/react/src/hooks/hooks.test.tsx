import { internals } from '@tessera/client';
import { act, render, screen } from '@testing-library/react';
import { Activity, Component, Profiler, type ReactNode, Suspense } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TesseraProvider } from '../app/provider.tsx';
import { fakeApp, project, user } from '../test/fake-app.ts';
import { settle, show } from '../test/show.tsx';
import { useApp, useUser } from './hooks.ts';

function Name({ or }: { or?: 'redirect' | 'throw' | 'return-null' | 'anonymous' }) {
  return <p>{useUser(or === undefined ? {} : { or })?.displayName ?? 'signed out'}</p>;
}

function ProjectName() {
  return <p>{useApp().useProject().displayName}</p>;
}

function OtherProject() {
  return <p>{useApp({ projectIdMustMatch: 'another' }).projectId}</p>;
}

class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError = (error: Error) => ({ message: error.message });
  override render = () => (this.state.message ? <p>{this.state.message}</p> : this.props.children);
}

describe('useUser', () => {
  it('does not redirect from a hidden route after a sign-out in another tab, but once the route is visible again', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    const route = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Suspense>
          <Name or="redirect" />
        </Suspense>
      </Activity>
    );
    const { rerender } = await show(route('visible'), { with: fake });
    rerender(route('hidden'));
    await settle();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.mocked(fake.app.redirectToSignIn).mockReturnValue(new Promise(() => {}));
    await act(async () => fake.readers.user.set(null));
    // The router renders the hidden route again.
    rerender(route('hidden'));
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(fake.app.redirectToSignIn).not.toHaveBeenCalled();

    rerender(route('visible'));
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(fake.app.redirectToSignIn).toHaveBeenCalledOnce();
  });

  it('never shows a signed-out state while the user is loading', async () => {
    const fake = fakeApp();
    fake.readers.user.forget();
    const { container } = await show(<Name />, { with: fake });
    expect(container.textContent).toBe('');

    await act(async () => fake.readers.user.set(user()));
    expect(container.textContent).toBe('Ada Lovelace');
  });

  it('renders again when the user changes, and only then', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    const onRender = vi.fn();
    await show(
      <Profiler id="name" onRender={onRender}>
        <Name />
      </Profiler>,
      { with: fake },
    );
    expect(onRender).toHaveBeenCalledTimes(1);

    await act(async () => fake.readers.project.set(project()));
    expect(onRender).toHaveBeenCalledTimes(1);
    await act(async () => fake.readers.user.set(user({ displayName: 'Ada King' })));
    expect(onRender).toHaveBeenCalledTimes(2);
    expect(screen.getByText('Ada King')).toBeTruthy();
  });

  it('redirects to sign-in once, suspends, and shows the user after sign-in', async () => {
    const fake = fakeApp();
    let arrive = () => {};
    const away = new Promise<void>(resolve => {
      arrive = resolve;
    });
    vi.mocked(fake.app.redirectToSignIn).mockReturnValue(away);
    const { container } = await show(<Name or="redirect" />, { with: fake });
    expect(container.textContent).toBe('');
    await vi.waitFor(() => expect(fake.app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true }));

    fake.readers.user.set(user());
    await act(async () => arrive());
    expect(await screen.findByText('Ada Lovelace')).toBeTruthy();
    expect(fake.app.redirectToSignIn).toHaveBeenCalledOnce();
  });

  it('redirects from the URL of its page when the router writes it after the first render', async () => {
    const fake = fakeApp();
    const from: string[] = [];
    vi.mocked(fake.app.redirectToSignIn).mockImplementation(() => {
      from.push(location.pathname);
      return new Promise(() => {});
    });
    await show(<Name or="redirect" />, { with: fake });
    history.replaceState(null, '', '/notes');
    onTestFinished(() => history.replaceState(null, '', '/'));
    await vi.waitFor(() => expect(from).toEqual(['/notes']));
  });

  it('waits for the redirect after sign-out, and redirects to sign-in only without one', async () => {
    const fake = fakeApp();
    vi.mocked(fake.app.redirectToSignIn).mockReturnValue(new Promise(() => {}));
    fake.readers.user.set(user());
    await show(<Name or="redirect" />, { with: fake });
    // Only now: the mounted page needed real time.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await act(async () => fake.readers.user.set(null));
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(fake.app.redirectToSignIn).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(200));
    expect(fake.app.redirectToSignIn).toHaveBeenCalledOnce();
    vi.useRealTimers();

    const other = fakeApp();
    other.readers.user.set(user());
    const view = await show(<Name or="redirect" />, { with: other });
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await act(async () => other.readers.user.set(null));
    view.unmount();
    history.replaceState(null, '', '/goodbye');
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(other.app.redirectToSignIn).not.toHaveBeenCalled();
    history.replaceState(null, '', '/');
    vi.useRealTimers();
  });

  it('keeps the page visible between sign-out and the redirect', async () => {
    const fake = fakeApp();
    vi.mocked(fake.app.redirectToSignIn).mockReturnValue(new Promise(() => {}));
    fake.readers.user.set(user());
    await show(<Name or="redirect" />, { with: fake });
    await act(async () => fake.readers.user.set(null));
    await settle();
    expect(screen.getByText('Ada Lovelace').style.display).toBe('');

    await act(async () => fake.readers.user.set(user({ displayName: 'Grace Hopper' })));
    expect(screen.getByText('Grace Hopper')).toBeTruthy();
  });

  it('waits for a sign-in when the app makes no redirects', async () => {
    const fake = fakeApp({ redirectMethod: 'none' });
    const { container } = await show(<Name or="redirect" />, { with: fake });
    expect(container.textContent).toBe('');
    await act(async () => fake.readers.user.set(user()));
    expect(await screen.findByText('Ada Lovelace')).toBeTruthy();
    expect(fake.app.redirectToSignIn).toHaveBeenCalledOnce();
  });

  it('creates one anonymous account, and shows it', async () => {
    const fake = fakeApp();
    fake.app[internals].signUpAnonymously.mockImplementation(async () => {
      fake.readers.user.set(user({ displayName: 'Guest' }));
    });
    await show(<Name or="anonymous" />, { with: fake });
    expect(await screen.findByText('Guest')).toBeTruthy();
    expect(fake.app[internals].signUpAnonymously).toHaveBeenCalledOnce();
    expect(fake.app.redirectToSignIn).not.toHaveBeenCalled();
  });

  it('throws with `or: throw`, and throws the error of a failed request', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    await show(
      <Boundary>
        <Name or="throw" />
      </Boundary>,
    );
    expect(screen.getByText(/^User is not signed in/)).toBeTruthy();

    const fake = fakeApp();
    fake.readers.user.fail(new Error('no answer'));
    await show(
      <Boundary>
        <Name />
      </Boundary>,
      { with: fake },
    );
    expect(screen.getByText('no answer')).toBeTruthy();
  });
});

describe('useApp', () => {
  it('returns an app with hooks for its reads', async () => {
    await show(<ProjectName />);
    expect(screen.getByText('Shelfmark')).toBeTruthy();
  });

  it('requires a provider, and the expected project', () => {
    vi.spyOn(console, 'error').mockReturnValue();
    expect(() => render(<Name />)).toThrow(/Put a <TesseraProvider> around your app/);
    expect(() =>
      render(
        <TesseraProvider app={fakeApp().app}>
          <OtherProject />
        </TesseraProvider>,
      ),
    ).toThrow(/another was expected/);
  });
});
