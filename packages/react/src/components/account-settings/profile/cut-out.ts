import { type CropView, squareOf } from './crop.ts';

/** Width and height of what is saved, in pixels; smaller where that is still too heavy. */
const sides = [512, 384, 256];
const qualities = [0.9, 0.8, 0.7, 0.6, 0.5];

/** 0.1 MB, as long as it is in base64 (docs/contract/handler-pages.md#smaller-components). */
const mostCharacters = Math.floor((100_000 * 4) / 3);

/** The square of a picture as a JPEG in a data URL; null where the browser cannot draw it. */
export function cutOut(image: HTMLImageElement, view: CropView): string | null {
  const square = squareOf(view, { width: image.naturalWidth, height: image.naturalHeight });
  for (const side of sides) {
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext('2d');
    if (!context) return null;

    // JPEG knows no transparency; without a ground it would be black.
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
