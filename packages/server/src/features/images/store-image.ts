import { createHash } from 'node:crypto';
import { type AccessLevel, imageMaxPixels } from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import type { Settings } from '../../env.ts';
import { refuse } from '../../http/refusal.ts';
import { refuseInput } from '../../http/request/validate.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type ConvertImage, isImage } from '../../platform/images.ts';
import { imageUploadUses, type RateLimits } from '../../platform/rate-limits/index.ts';
import { assertKeyUsable, type Projects } from '../projects/index.ts';
import { decodeImage, decodeLargeImage, imagesUrl } from './rules.ts';
import { insertImage } from './store.ts';

interface ImageCall {
  readonly project: { readonly id: string };
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
  /** The id of the key set that a server or admin used. */
  readonly keySetId: string | undefined;
  readonly request: HttpRequest;
}

export interface ImageDeps {
  readonly clock: Clock;
  readonly convertImage: ConvertImage;
  readonly db: Database;
  readonly rateLimits: RateLimits;
  readonly projects: Projects;
  readonly settings: Pick<Settings, 'publicUrl'>;
}

/**
 * The value to store in an image field. A data URL above `inlineImageMaxBytes` is converted and stored, and the field
 * gets the URL of the stored image. Every other value is returned unchanged, and so is data of other formats that a
 * server sends (docs/contract/decisions.md#images).
 *
 * @throws a plain 400 (client) or SCHEMA_ERROR (server) for an image that cannot be converted, a plain 400 (client) for
 * data that is not an image; LimitReached; ConversionsBusy; the refusals of `assertKeyUsable`
 */
export async function storeImage<Value extends string | null | undefined>(
  value: Value,
  call: ImageCall,
  deps: ImageDeps,
): Promise<Value | string> {
  const data = typeof value === 'string' ? decodeLargeImage(value) : undefined;
  if (data === undefined || (call.level !== 'client' && !isImage(data))) return value;
  await deps.rateLimits.spend(imageUploadUses(call));
  return convertAndStore(data, call, 'profile_image_url', deps);
}

/**
 * The value to store as the logo of a project. Every data URL becomes the URL of a stored image: email programs show no
 * data URLs. Every other value is returned unchanged.
 *
 * @throws SCHEMA_ERROR for data that is not an image; ConversionsBusy; the refusals of `assertKeyUsable`
 */
export async function storeLogo<Value extends string | null | undefined>(
  value: Value,
  call: ImageCall,
  deps: ImageDeps,
): Promise<Value | string> {
  const data = typeof value === 'string' ? decodeImage(value) : undefined;
  return data === undefined ? value : convertAndStore(data, call, 'logo_url', deps);
}

/**
 * An image may wait for others to be converted, so the key of the caller is checked again.
 *
 * @returns the URL of the stored image
 */
async function convertAndStore(
  data: Buffer,
  call: ImageCall,
  field: string,
  { db, clock, settings, convertImage, projects }: ImageDeps,
): Promise<string> {
  const { project, level, user } = call;
  const caller = { projectId: project.id, userId: level === 'client' ? user?.id : undefined };
  const content = (await convertImage(data, caller)) ?? refuseImage(call, field);
  const hash = createHash('sha256').update(content).digest();
  await insertImage(db, project.id, { hash, content }, clock.now());
  await assertKeyUsable(call, projects);
  return `${imagesUrl(settings, project.id)}${hash.toString('hex')}.webp`;
}

function refuseImage({ level, request }: ImageCall, field: string): never {
  const sentence = `must be a PNG, JPEG, GIF or WebP image of at most ${imageMaxPixels} pixels`;
  if (level === 'client') refuse(400, `A profile image ${sentence}.`);
  refuseInput(request, `body.${field} ${sentence}`);
}
