export { deleteUserKeys } from './store.ts';
