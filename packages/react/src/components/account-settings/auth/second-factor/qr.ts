/**
 * QR codes of one size (ISO/IEC 18004): version 10 with error correction L, for texts of up to 271 bytes in UTF-8. This
 * is enough for the URI of a TOTP key, and a third of the size of a library for every version.
 */
const mostBytes = 271;

/** Modules per side. */
export const modules = 57;

const dataCodewords = 274;
const blockLengths = [68, 68, 69, 69];
const correctionCodewords = 18;

/** For version 10: centres of the alignment patterns, and the version information (BCH-coded). */
const alignments = [6, 28, 50];
const versionBits = 0x0a4d3;

/** Correction L with mask 0 (dark where row and column have an even sum), BCH-coded and masked. */
const formatBits = 0x77c4;

type Matrix = (boolean | undefined)[][];

/** Rows of modules, dark ones true, without the margin. @throws RangeError for a text that is too long. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > mostBytes) throw new RangeError(`A text of ${bytes.length} bytes does not fit the QR code.`);

  const matrix: Matrix = Array.from({ length: modules }, () => Array<undefined>(modules).fill(undefined));
  drawPatterns(matrix);
  drawCodewords(matrix, withCorrection(codewordsOf(bytes)));
  return matrix.map(row => row.map(Boolean));
}

/** Byte mode: four bits for the mode, sixteen for the length, the bytes, the terminator, and the padding. */
function codewordsOf(bytes: Uint8Array): Uint8Array {
  const nibbles = [4, ...nibblesOf(bytes.length >> 8), ...nibblesOf(bytes.length & 255)];
  for (const byte of bytes) nibbles.push(...nibblesOf(byte));
  nibbles.push(0);

  return Uint8Array.from({ length: dataCodewords }, (_, index) => {
    const [high, low] = [nibbles[2 * index], nibbles[2 * index + 1]];
    const isFilling = high === undefined || low === undefined;
    return isFilling ? ((index - nibbles.length / 2) % 2 === 0 ? 0xec : 0x11) : high * 16 + low;
  });
}

function nibblesOf(byte: number): [number, number] {
  return [byte >> 4, byte & 15];
}

/** The data blocks with their error correction, interleaved. */
function withCorrection(data: Uint8Array): number[] {
  let start = 0;
  const blocks = blockLengths.map(length => {
    const block = data.subarray(start, start + length);
    start += length;
    return { block, correction: correctionOf(block) };
  });
  return [
    ...woven(
      blocks.map(({ block }) => block),
      Math.max(...blockLengths),
    ),
    ...woven(
      blocks.map(({ correction }) => correction),
      correctionCodewords,
    ),
  ];
}

function woven(blocks: readonly ArrayLike<number>[], length: number): number[] {
  return Array.from({ length }, (_, index) => blocks.flatMap(block => block[index] ?? [])).flat();
}

/** The remainder of a polynomial division over GF(256) (Reed-Solomon). */
function correctionOf(block: Uint8Array): readonly number[] {
  const generator = generatorOf(correctionCodewords);
  let remainder = Array<number>(correctionCodewords).fill(0);
  for (const byte of block) {
    const factor = byte ^ (remainder[0] ?? 0);
    remainder = [...remainder.slice(1), 0].map((value, index) => value ^ product(generator[index] ?? 0, factor));
  }
  return remainder;
}

/** (x - 1)(x - 2)(x - 4)…, without its leading coefficient, which is one. */
function generatorOf(degree: number): readonly number[] {
  let coefficients = [1];
  for (let root = 1, count = 0; count < degree; count++, root = product(root, 2)) {
    coefficients = [...coefficients, 0].map((value, index) => value ^ product(coefficients[index - 1] ?? 0, root));
  }
  return coefficients.slice(1);
}

/** Multiplication in GF(256) modulo x⁸ + x⁴ + x³ + x² + 1. */
function product(one: number, other: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    result ^= ((other >> bit) & 1) * one;
  }
  return result;
}

/** The modules that every code of this size has. */
function drawPatterns(matrix: Matrix): void {
  const set = (x: number, y: number, isDark: boolean) => {
    const row = matrix[y];
    if (row && x >= 0 && x < modules) row[x] = isDark;
  };
  const square = (x: number, y: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  };
  const last = modules - 1;

  for (let index = 0; index < modules; index++) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [last - 3, 3],
    [3, last - 3],
  ] as const) {
    square(x, y, 4, distance => distance !== 2 && distance !== 4);
  }
  for (const x of alignments) {
    for (const y of alignments) {
      const isCorner = (x === 6 && y !== 28) || (y === 6 && x !== 28);
      if (!isCorner || (x === 50 && y === 50)) square(x, y, 2, distance => distance !== 1);
    }
  }

  for (let index = 0; index < 15; index++) {
    const isDark = ((formatBits >> index) & 1) === 1;
    const along = index < 6 ? index : index < 8 ? index + 1 : modules - 15 + index;
    const across = index < 8 ? last - index : index === 8 ? 7 : 14 - index;
    set(8, along, isDark);
    set(across, 8, isDark);
  }
  set(8, modules - 8, true);

  for (let index = 0; index < 18; index++) {
    const isDark = ((versionBits >> index) & 1) === 1;
    const [near, far] = [Math.floor(index / 3), modules - 11 + (index % 3)];
    set(far, near, isDark);
    set(near, far, isDark);
  }
}

/** Two columns at a time, from the right, up and down, without the fixed modules. */
function drawCodewords(matrix: Matrix, codewords: readonly number[]): void {
  let bit = 0;
  for (let right = modules - 1; right > 0; right -= 2) {
    // The column of the timing pattern is skipped.
    if (right === 6) right = 5;
    for (let step = 0; step < modules; step++) {
      const isUpward = ((right + 1) & 2) === 0;
      const y = isUpward ? modules - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = matrix[y];
        if (!row || row[x] !== undefined) continue;
        const isDark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        row[x] = isDark !== ((x + y) % 2 === 0);
        bit++;
      }
    }
  }
}
