import { type CropView, squareOf } from './crop.ts';

/** Width and height of the saved image, in pixels; smaller when the file would be too large. */
const sides = [512, 384, 256];
const qualities = [0.9, 0.8, 0.7, 0.6, 0.5];

/** 0.1 MB, in base64 (docs/contract/handler-pages.md#smaller-components). */
const mostCharacters = Math.floor((100_000 * 4) / 3);

/** The square of an image as a JPEG data URL; null when the browser cannot draw the image. */
export function cutOut(image: HTMLImageElement, view: CropView): string | null {
  const square = squareOf(view, { width: image.naturalWidth, height: image.naturalHeight });
  for (const side of sides) {
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext('2d');
    if (!context) return null;

    // JPEG has no transparency; without a background it would be black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, side, side);
    context.drawImage(image, square.left, square.top, square.side, square.side, 0, 0, side, side);

    const light = qualities
      .map(quality => canvas.toDataURL('image/jpeg', quality))
      .find(dataUrl => dataUrl.startsWith('data:image/jpeg') && dataUrl.length <= mostCharacters);
    if (light) return light;
  }
  return null;
}
