/** The position of an image under the square crop window. */
export interface CropView {
  /** 1 shows as much of the image as possible. */
  readonly zoom: number;
  /** Centre of the window, as fractions of the image's width and height. */
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The cropped square, in pixels of the image. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

export const zoomRange = { min: 1, max: 3, step: 0.1 } as const;
export const middle: CropView = { zoom: 1, x: 0.5, y: 0.5 };

/** The part of the image in the window. It never reaches beyond the image. */
export function squareOf({ zoom, x, y }: CropView, { width, height }: Size): Square {
  const side = Math.min(width, height) / zoom;
  return {
    left: clamp(x * width - side / 2, width - side),
    top: clamp(y * height - side / 2, height - side),
    side,
  };
}

/** The view after the image moved by a fraction of the window's width and height. */
export function moveView(view: CropView, by: { x: number; y: number }, size: Size): CropView {
  const { left, top, side } = squareOf(view, size);
  const next = squareOf(
    { ...view, x: (left + side / 2 - by.x * side) / size.width, y: (top + side / 2 - by.y * side) / size.height },
    size,
  );
  return { ...view, x: (next.left + side / 2) / size.width, y: (next.top + side / 2) / size.height };
}

/** The position of the image, so that a window of the given width shows the square. */
export function placeOf(view: CropView, size: Size, window: number): { width: number; left: number; top: number } {
  const { left, top, side } = squareOf(view, size);
  const scale = window / side;
  return { width: size.width * scale, left: -left * scale, top: -top * scale };
}

/** The value, at least 0 and at most `most`. */
function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
