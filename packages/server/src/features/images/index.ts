export { imagesUrl, isStoredImageUrl } from './rules.ts';
export { storeImage } from './store-image.ts';
