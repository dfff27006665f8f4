import { lazy, Suspense, useEffect, useState } from 'react';
import { useOwner } from '../../data/owner.tsx';
import { type IdleState, idleStateAt } from './idle.ts';
import { createLastActivity } from './last-activity.ts';

const IdleWarning = lazy(async () => ({ default: (await import('./idle-warning.tsx')).IdleWarning }));
const IdleFailure = lazy(async () => ({ default: (await import('./idle-failure.tsx')).IdleFailure }));

const secondMs = 1_000;
const signOutRetryMs = 10 * secondMs;

/**
 * Signs an idle user out of the dashboard, in production, and warns before. Activity in one tab counts for all. A sign-out
 * that fails, e.g. because the computer wakes up without a network, is shown and repeated.
 */
export function IdleGuard() {
  const owner = useOwner();
  const [activity] = useState(() =>
    createLastActivity(
      () => Date.now(),
      () => window.localStorage,
    ),
  );
  const [state, setState] = useState<IdleState>(() => idleStateAt(Date.now(), activity.at()));
  const isWarned = state.name === 'warned';
  const [failure, setFailure] = useState<{ readonly error: unknown }>();

  // Only its buttons answer a warning: an accidental movement does not.
  useEffect(() => activity.follow(() => !isWarned), [activity, isWarned]);

  useEffect(() => {
    if (state.name === 'ended') return;
    const waitMs = state.name === 'active' ? state.nextCheckMs : secondMs;
    const timer = window.setTimeout(() => setState(idleStateAt(Date.now(), activity.at())), waitMs);
    return () => window.clearTimeout(timer);
  }, [state, activity]);

  useEffect(() => {
    if (state.name !== 'ended') return;
    // The page of the address asks for a new sign-in, and leads back to it.
    const signOut = () => owner.signOut({ redirectUrl: window.location.href }).catch(error => setFailure({ error }));
    const timer = window.setTimeout(signOut, failure === undefined ? 0 : signOutRetryMs);
    return () => window.clearTimeout(timer);
  }, [state, owner, failure]);

  if (failure !== undefined) {
    return (
      <Suspense>
        <IdleFailure error={failure.error} />
      </Suspense>
    );
  }
  if (state.name !== 'warned') return null;
  return (
    <Suspense>
      <IdleWarning
        leftMs={state.leftMs}
        onStay={() => {
          activity.touch();
          setState(idleStateAt(Date.now(), activity.at()));
        }}
        onSignOut={() => setState({ name: 'ended' })}
      />
    </Suspense>
  );
}
