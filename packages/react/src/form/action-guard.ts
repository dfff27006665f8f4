import { createContext, useContext } from 'react';

/** Runs an action of a form or button, and may run it again after a refusal that the user can resolve. */
export type ActionGuard = <Value>(act: () => Promise<Value>) => Promise<Value>;

const runOnce: ActionGuard = act => act();

/** The guard of a part of the page. Without one an action runs once. */
export const ActionGuardContext = createContext<ActionGuard>(runOnce);

/**
 * The guard of the part of the page around a component; without one an action runs once.
 *
 * @example
 * const guard = useActionGuard();
 * await guard(() => app.rotateSigningKeys());
 */
export function useActionGuard(): ActionGuard {
  return useContext(ActionGuardContext);
}
