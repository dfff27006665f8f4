export { imagesUrl } from './rules.ts';
export { type ImageDeps, storeImage, storeLogo } from './store-image.ts';
