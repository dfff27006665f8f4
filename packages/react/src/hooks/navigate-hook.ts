import { type ClientApp, internals } from '@tessera/client';

/** Makes an app's `useNavigate`. Which of the three it is never changes for an app, so the hooks stay in order. */
export function navigateHook(app: ClientApp): () => (to: string) => void {
  const { redirectMethod } = app[internals];
  if (typeof redirectMethod === 'object') return redirectMethod.useNavigate;
  return redirectMethod === 'window' ? () => to => window.location.assign(to) : () => () => {};
}
