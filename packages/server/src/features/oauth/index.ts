export { endPendingFlows } from './store.ts';
export { createLinkCompletion } from './token/apply-sign-in.ts';
