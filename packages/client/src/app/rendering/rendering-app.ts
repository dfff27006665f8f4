import { ClientApp } from '../app.ts';
import type { ClientAppOptions, TokenStoreAdapter } from '../config/options.ts';
import { contextOf } from '../context-of.ts';

/**
 * A copy of an app for one response of a server, on which the app itself serves all users. Its user is the one that
 * `setCurrentUser` stores.
 */
export function renderingApp(app: object): ClientApp<true> {
  const options: ClientAppOptions = { ...contextOf(app).options, tokenStore: renderingStore() };
  return new ClientApp(options) as ClientApp<true>;
}

/** A session for as long as a response is rendered. Nothing subscribes to its readers, so its tokens are never sent. */
function renderingStore(): TokenStoreAdapter {
  return { get: () => ({ accessToken: null, refreshToken: 'rendering' }), set() {} };
}
