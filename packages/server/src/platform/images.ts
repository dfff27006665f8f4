import {
  imageConversionsAtOnce,
  imageConversionsWaiting,
  imageConversionsWaitingPerServer,
  imageConversionsWaitingPerUser,
  imageConversionTimeoutSeconds,
  imageMaxEdge,
  imageMaxPixels,
  storedImageMaxEdge,
} from '@tessera/protocol';
import { createFairQueue } from './fair-queue.ts';
import { boundDecoding } from './image-structure.ts';
import { createConcurrencyLimiter } from './rate-limits/concurrency-limiter.ts';

/** Whose image it is. Without a user it is the project's own server, which acts for many users. */
export interface ImageCaller {
  readonly projectId: string;
  readonly userId: string | undefined;
}

/**
 * @returns the image as WebP without metadata; undefined for data that is not an image or takes too much work
 * @throws ConversionsBusy
 */
export type ConvertImage = (data: Buffer, caller: ImageCaller) => Promise<Buffer | undefined>;

/** Too many conversions wait, of all callers or of this one: a 429 with Retry-After. */
export class ConversionsBusy extends Error {
  override readonly name = 'ConversionsBusy';

  constructor() {
    super('too many images are being converted');
  }
}

/**
 * A limited number of conversions run at a time, on worker threads. Each user and the server of each project has one place
 * in the queue of the process, and further conversions of that caller wait outside. Projects take turns by the time that their
 * conversions take, so that neither a project's server nor its users stop the conversions of other projects, and many
 * projects with large images do not stop those with small ones.
 */
export function createImageConverter({
  convertData = convert,
  prepare = loadLibrary,
  nowMs = () => performance.now(),
}: {
  readonly convertData?: (data: Buffer) => Promise<Buffer | undefined>;
  /** Runs before each conversion; its time is not charged to the project. */
  readonly prepare?: () => Promise<unknown>;
  /** The monotonic clock. */
  readonly nowMs?: () => number;
} = {}): ConvertImage {
  const takeTurn = createTurns(nowMs);
  const users = createConcurrencyLimiter({ atOnce: 1, maxWaiting: imageConversionsWaitingPerUser });
  const servers = createConcurrencyLimiter({ atOnce: 1, maxWaiting: imageConversionsWaitingPerServer });
  return async (data, { projectId, userId }) => {
    if (!isImage(data)) return undefined;
    await prepare();
    const convertInTurn = () => takeTurn(projectId, () => convertData(data));
    const done =
      userId === undefined
        ? await servers.take(projectId, convertInTurn)
        : await users.take(`${projectId}:${userId}`, convertInTurn);
    if (done === undefined) throw new ConversionsBusy();
    return done.value;
  };
}

/** An image of `imageMaxPixels` takes about as long. */
const expectedMs = 500;

/** Runs `imageConversionsAtOnce` conversions at a time; those that wait are served by project in turn. */
function createTurns(nowMs: () => number) {
  const waiting = createFairQueue<{ start: () => void; refuse: (error: Error) => void }>({
    maxSize: imageConversionsWaiting,
    expectedMs,
    nowMs,
  });
  let running = 0;

  function wait(projectId: string): Promise<void> {
    return new Promise((start, refuse) => {
      waiting.push(projectId, { start, refuse })?.refuse(new ConversionsBusy());
    });
  }

  return async <T>(projectId: string, work: () => Promise<T>): Promise<T> => {
    if (running < imageConversionsAtOnce) running++;
    else await wait(projectId);
    const end = waiting.begin(projectId);
    try {
      return await work();
    } finally {
      end();
      const next = waiting.shift();
      if (next === undefined) running--;
      else next.start();
    }
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

/** Loaded at the first image: the library takes 20 MB and would slow down each start. */
function loadLibrary() {
  return import('sharp');
}

async function convert(given: Buffer): Promise<Buffer | undefined> {
  const data = boundDecoding(given);
  if (data === undefined) return undefined;
  const { default: sharp } = await loadLibrary();
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
