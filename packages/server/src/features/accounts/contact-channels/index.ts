export { AddressTaken, blocksAddress, releaseAddress } from './claims-store.ts';
export { confirmPrimaryChannel, deleteOtherChannels } from './primary-store.ts';
export { hasChannel, hasVerifiedAddress, selectChannels } from './store.ts';
export { assertTrusted, sendVerification } from './verification.ts';
