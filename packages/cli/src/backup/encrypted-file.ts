import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Failure } from '../failure.ts';
import { assertPassphraseLength, createSalt, deriveKey } from '../passphrase.ts';

/**
 * The format of a backup: a line of JSON (the head), then frames. A frame is a length (4 bytes), the AES-256-GCM
 * ciphertext of at most `frameMaxBytes`, and its tag. The nonce counts the frames, and the associated data hold the head
 * and whether the frame is the last one. So a frame that is changed, missing, moved or added is found.
 */
const frameMaxBytes = 64 * 1024;
const headMaxBytes = 4 * 1024;
const lengthBytes = 4;
const tagBytes = 16;
const nonceBytes = 12;
const newline = 10;

const format = 'tessera backup';
const version = 1;

/** Encrypts a stream with a passphrase. Yields the bytes of the file. */
export async function* encryptBackup(chunks: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  assertPassphraseLength(passphrase);
  const salt = createSalt();
  const head = Buffer.from(JSON.stringify({ format, version, salt: salt.toString('base64') }));
  yield Buffer.concat([head, Buffer.from([newline])]);
  const key = await deriveKey(passphrase, salt);
  let index = 0;
  for await (const { plain, isLast } of framesOf(chunks)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index++)).setAAD(associatedData(head, isLast));
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(encrypted.length);
    yield Buffer.concat([length, encrypted]);
  }
}

/**
 * Decrypts a file of `encryptBackup`. Yields the bytes as soon as each frame is verified.
 *
 * @throws Failure for another format, a wrong passphrase, and a file that is changed or incomplete
 */
export async function* decryptBackup(chunks: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const reader = createReader(chunks);
  const { head, salt } = readHead(await reader.line(headMaxBytes));
  const key = await deriveKey(passphrase, salt);
  for (let index = 0; ; index++) {
    const length = (await reader.bytes(lengthBytes))?.readUInt32BE();
    if (length === undefined || length < tagBytes || length > frameMaxBytes + tagBytes) throw damagedFrameError(index);
    const encrypted = await reader.bytes(length);
    if (encrypted === undefined) throw damagedFrameError(index);
    const frame = openFrame(encrypted, { key, head, index });
    if (frame === undefined) throw damagedFrameError(index);
    yield frame.plain;
    if (!frame.isLast) continue;
    if ((await reader.bytes(1)) !== undefined) throw damagedFrameError(index);
    return;
  }
}

/** The first frame cannot be opened with another passphrase, so that is the likely reason. */
function damagedFrameError(index: number): Failure {
  return new Failure(
    index === 0
      ? 'The passphrase is not the one that encrypted the backup, or the backup is damaged. Nothing was restored.'
      : 'The backup is damaged or incomplete. Nothing was restored.',
  );
}

function openFrame(
  encrypted: Buffer,
  { key, head, index }: { key: Buffer; head: Buffer; index: number },
): { plain: Buffer; isLast: boolean } | undefined {
  for (const isLast of [false, true]) {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index)).setAAD(associatedData(head, isLast));
    decipher.setAuthTag(encrypted.subarray(-tagBytes));
    try {
      return { plain: Buffer.concat([decipher.update(encrypted.subarray(0, -tagBytes)), decipher.final()]), isLast };
    } catch {
      // The tag does not match: the other kind of frame, or a damaged one.
    }
  }
  return undefined;
}

/** Each file has a key of its own, so a counter never repeats a nonce under one key. */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(index, nonceBytes - lengthBytes);
  return nonce;
}

function associatedData(head: Buffer, isLast: boolean): Buffer {
  return Buffer.concat([head, Buffer.from([isLast ? 1 : 0])]);
}

function readHead(line: Buffer | undefined): { head: Buffer; salt: Buffer } {
  const parsed = line === undefined ? undefined : parseJson(line);
  if (line === undefined || parsed?.format !== format) throw new Failure('The file is not a backup of Tessera.');
  if (parsed.version !== version || typeof parsed.salt !== 'string') {
    throw new Failure('The backup was written by a newer release. Use that release to restore it.');
  }
  return { head: line, salt: Buffer.from(parsed.salt, 'base64') };
}

function parseJson(line: Buffer): { format?: unknown; version?: unknown; salt?: unknown } | undefined {
  try {
    return JSON.parse(line.toString());
  } catch {
    // Not JSON, so not a backup.
    return undefined;
  }
}

/** Cuts a stream into frames of at most `frameMaxBytes`; an empty stream is one empty frame. */
async function* framesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ plain: Buffer; isLast: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length > frameMaxBytes; rest = rest.subarray(frameMaxBytes)) {
      yield { plain: rest.subarray(0, frameMaxBytes), isLast: false };
    }
  }
  yield { plain: rest, isLast: true };
}

function createReader(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await source.next();
    if (done !== true) rest = Buffer.concat([rest, value]);
    return done !== true;
  };
  const take = (count: number): Buffer => {
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
  return {
    /** Exactly so many bytes; undefined when the stream ends before. */
    async bytes(count: number): Promise<Buffer | undefined> {
      while (rest.length < count) if (!(await more())) return undefined;
      return take(count);
    },
    /** A line without its end; undefined when it is longer than `maxBytes` or has no end. */
    async line(maxBytes: number): Promise<Buffer | undefined> {
      while (!rest.includes(newline)) if (rest.length > maxBytes || !(await more())) return undefined;
      const line = take(rest.indexOf(newline));
      take(1);
      return line;
    },
  };
}
