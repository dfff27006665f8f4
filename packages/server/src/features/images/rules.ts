import { apiPath, inlineImageMaxBytes } from '@tessera/protocol';

/** The URL prefix of all stored images of a project. */
export function imagesUrl({ publicUrl }: { readonly publicUrl: string }, projectId: string): string {
  return `${publicUrl}${apiPath}/images/${projectId}/`;
}

/** @param base result of `imagesUrl` for the project */
export function isStoredImageUrl(url: string, base: string): boolean {
  return url.startsWith(base) && /^[0-9a-f]{64}\.webp$/.test(url.slice(base.length));
}

/**
 * The bytes of a data URL that is too large to stay in the field, else undefined. Data that is not base64 returns no
 * bytes, so it is refused as not an image.
 */
export function decodeLargeImage(url: string): Buffer | undefined {
  const data = url.length <= inlineImageMaxBytes ? undefined : decodeImage(url);
  return data !== undefined && data.length > 0 && data.length <= inlineImageMaxBytes ? undefined : data;
}

/** The bytes of a data URL, else undefined. Invalid base64 returns no bytes, so it is refused as not an image. */
export function decodeImage(url: string): Buffer | undefined {
  if (new URL(url).protocol !== 'data:') return undefined;
  const comma = url.indexOf(',');
  const isBase64 = /;base64$/i.test(url.slice(0, Math.max(comma, 0)));
  return Buffer.from(isBase64 ? url.slice(comma + 1) : '', 'base64');
}
