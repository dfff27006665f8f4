import { jpegScansMax } from '@tessera/protocol';

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length, name and checksum of a chunk. */
const chunkFrameBytes = 12;

/** The chunks that decide how an image looks. */
const lookChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'eXIf']);

/** Start of a scan. Inside the data of a scan a 0xff is never followed by this byte. */
const jpegScan = Buffer.from([0xff, 0xda]);

/**
 * Prepares a file for the decoder, whose time limit and pixel limit do not count what a PNG and a JPEG can hold beside their
 * pixels (control 79).
 *
 * @returns the file, a PNG without its texts; undefined for a JPEG with too many scans
 */
export function boundDecoding(data: Buffer): Buffer | undefined {
  if (data.subarray(0, pngSignature.length).equals(pngSignature)) return withoutTexts(data);
  return countScans(data) > jpegScansMax ? undefined : data;
}

/** Each compressed text of 7 kilobytes takes 7 megabytes in memory, and a file of 700 kilobytes can have a hundred of them. */
function withoutTexts(png: Buffer): Buffer {
  const kept = chunksOf(png).filter(chunk => lookChunks.has(chunk.toString('latin1', 4, 8)));
  return Buffer.concat([pngSignature, ...kept]);
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
