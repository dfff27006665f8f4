import { inflateSync } from 'node:zlib';
import { jpegScansMax } from '@tessera/protocol';

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length and name of a chunk before its data, and the checksum after it. */
const chunkHeadBytes = 8;
const checksumBytes = 4;
const chunkFrameBytes = chunkHeadBytes + checksumBytes;

/** The chunks that decide how an image looks. */
const lookChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'eXIf']);

const profileChunk = 'iCCP';
/** More than the profile of any RGB device takes. */
const profileMaxBytes = 1024 * 1024;

/** Start of a scan. Inside the data of a scan a 0xff is never followed by this byte. */
const jpegScan = Buffer.from([0xff, 0xda]);

/**
 * Prepares a file for the decoder, whose time limit and pixel limit do not count what a PNG and a JPEG can hold beside their
 * pixels (control 79).
 *
 * @returns the file, a PNG without its texts and without a colour profile that is too large; undefined for a JPEG with too
 *   many scans
 */
export function boundDecoding(data: Buffer): Buffer | undefined {
  if (data.subarray(0, pngSignature.length).equals(pngSignature)) return boundPng(data);
  return countScans(data) > jpegScansMax ? undefined : data;
}

/**
 * Each compressed text of 7 kilobytes takes 7 megabytes in memory, and a file of 700 kilobytes can have a hundred of them. A
 * compressed profile of 50 kilobytes takes 250 megabytes and half a second. A PNG has one profile at most.
 */
function boundPng(png: Buffer): Buffer {
  const looks = chunksOf(png).filter(chunk => lookChunks.has(nameOf(chunk)));
  const profile = looks.find(chunk => nameOf(chunk) === profileChunk);
  const kept = profile !== undefined && isBoundedProfile(profile) ? profile : undefined;
  return Buffer.concat([pngSignature, ...looks.filter(chunk => nameOf(chunk) !== profileChunk || chunk === kept)]);
}

function nameOf(chunk: Buffer): string {
  return chunk.toString('latin1', 4, chunkHeadBytes);
}

/** The data are a name, a zero byte, a byte for the method of compression, and the compressed profile (PNG, 11.3.2.3). */
function isBoundedProfile(chunk: Buffer): boolean {
  const data = chunk.subarray(chunkHeadBytes, -checksumBytes);
  try {
    inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: profileMaxBytes });
    return true;
  } catch {
    // It is larger, or no compressed data: then the decoder would ignore it, too.
    return false;
  }
}

function chunksOf(png: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = pngSignature.length; start + chunkFrameBytes <= png.length; ) {
    const end = start + chunkFrameBytes + png.readUInt32BE(start);
    chunks.push(png.subarray(start, end));
    start = end;
  }
  return chunks;
}

/** A scan of 60 bytes can change every pixel of the image, and the decoder does not stop between scans. */
function countScans(data: Buffer): number {
  if (data[0] !== 0xff) return 0;
  let count = 0;
  for (let at = data.indexOf(jpegScan); at !== -1; at = data.indexOf(jpegScan, at + jpegScan.length)) count++;
  return count;
}
