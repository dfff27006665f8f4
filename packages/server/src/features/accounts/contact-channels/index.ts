export { AddressTaken, blocksAddress, releaseAddress } from './claims-store.ts';
export { confirmPrimaryChannel, deleteOtherChannels } from './primary-store.ts';
export { hasChannel, hasVerifiedAddress, selectChannels, selectVerifiedAddresses } from './store.ts';
export { sendVerification } from './verification.ts';
