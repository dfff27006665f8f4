import { type ClientApp, internals } from '@tessera/client';

/** Creates the `useNavigate` of an app. The variant never changes for an app, so the order of hooks is stable. */
export function navigateHook(app: ClientApp): () => (to: string) => void {
  const { redirectMethod } = app[internals];
  if (typeof redirectMethod === 'object') return redirectMethod.useNavigate;
  return redirectMethod === 'window' ? () => to => window.location.assign(to) : () => () => {};
}
