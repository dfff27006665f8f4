import {
  imageConversionsAtOnce,
  imageConversionsWaiting,
  imageConversionsWaitingPerUser,
  imageConversionTimeoutSeconds,
  imageMaxEdge,
  imageMaxPixels,
  storedImageMaxEdge,
} from '@tessera/protocol';
import { boundDecoding } from './image-structure.ts';
import { createConcurrencyLimiter } from './rate-limits/concurrency-limiter.ts';
import { LimitReached } from './rate-limits/index.ts';

/**
 * @param caller whose share of the queue the conversion takes; undefined for a server, which acts for many users
 * @returns the image as WebP without metadata; undefined for data that is not an image or takes too much work
 */
export type ConvertImage = (data: Buffer, caller: string | undefined) => Promise<Buffer | undefined>;

const busyRetrySeconds = 1;

/**
 * A limited number of conversions run at a time, on worker threads. Each caller has one place in the queue of the process,
 * and further conversions of the caller wait outside, so that one user cannot fill the queue.
 *
 * @throws LimitReached when too many conversions wait, of all callers or of this one
 */
export function createImageConverter(convertData = convert): ConvertImage {
  const turns = createConcurrencyLimiter({ atOnce: imageConversionsAtOnce, maxWaiting: imageConversionsWaiting });
  const shares = createConcurrencyLimiter({ atOnce: 1, maxWaiting: imageConversionsWaitingPerUser });
  return async (data, caller) => {
    if (!isImage(data)) return undefined;
    const convertInTurn = () => turns.take('conversion', () => convertData(data));
    const done = caller === undefined ? await convertInTurn() : (await shares.take(caller, convertInTurn))?.value;
    if (done === undefined) throw new LimitReached(busyRetrySeconds);
    return done.value;
  };
}

const signatures = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'];

/** Checks the first bytes: the library reads many more formats, some with a history of defects. */
export function isImage(data: Buffer): boolean {
  const start = data.toString('latin1', 0, 12);
  return signatures.some(one => start.startsWith(one)) || (start.startsWith('RIFF') && start.endsWith('WEBP'));
}

/** The size of data that is not an image: it fails below. */
const nothing = { width: 0, height: 0 };

async function convert(given: Buffer): Promise<Buffer | undefined> {
  const data = boundDecoding(given);
  if (data === undefined) return undefined;
  // Loaded at the first image: the library takes 20 MB and would slow down each start.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const edge = storedImageMaxEdge;
  const image = sharp(data, { limitInputPixels: imageMaxPixels, failOn: 'error' });
  const { width, height } = await image.metadata().catch(() => nothing);
  if (Math.max(width, height) > imageMaxEdge) return undefined;
  const conversion = image
    .autoOrient()
    .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
    .webp()
    .timeout({ seconds: imageConversionTimeoutSeconds });
  // The library has no error codes; the data is in memory, so every error is about the data.
  return conversion.toBuffer().catch(() => undefined);
}
