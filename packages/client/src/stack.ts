/** The same SDK under the names that apps written for the hosted service import. */

export { AdminApp as StackAdminApp, ClientApp as StackClientApp, ServerApp as StackServerApp } from './app.ts';
export * from './index.ts';
export { internals as stackAppInternalsSymbol } from './internals-symbol.ts';
