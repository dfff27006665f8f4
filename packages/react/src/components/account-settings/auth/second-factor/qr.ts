/**
 * QR codes of one size (ISO/IEC 18004): version 10 with error correction L, for texts of up to 271 bytes in UTF-8. This
 * is enough for the URI of a TOTP key, and a third of the size of a library for every version.
 */
const mostBytes = 271;

/** Modules per side. */
export const modules = 57;
const last = modules - 1;

const dataCodewords = 274;
const blockLengths = [68, 68, 69, 69];
const correctionCodewords = 18;

/** The centres of the finder patterns. */
const finders = [
  [3, 3],
  [last - 3, 3],
  [3, last - 3],
] as const;

/** For version 10: the centres of the alignment patterns, and the version information (BCH-coded). */
const alignments = [
  [6, 28],
  [28, 6],
  [28, 28],
  [28, 50],
  [50, 28],
  [50, 50],
] as const;
const versionBits = 0x0a4d3;

/** Correction L with mask 0 (dark where row and column have an even sum), BCH-coded and masked. */
const formatBits = 0x77c4;

type Matrix = (boolean | undefined)[][];
/** Column and row. */
type Position = readonly [x: number, y: number];

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
  let end = 0;
  const blocks = blockLengths.map(length => {
    end += length;
    return data.subarray(end - length, end);
  });
  return [...interleave(blocks), ...interleave(blocks.map(correctionOf))];
}

/** The first numbers of all blocks, then the second ones, and so on. */
function interleave(blocks: readonly ArrayLike<number>[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => blocks.flatMap(block => block[index] ?? [])).flat();
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
  for (let index = 0; index < modules; index++) {
    draw(matrix, 6, index, index % 2 === 0);
    draw(matrix, index, 6, index % 2 === 0);
  }
  for (const centre of finders) drawSquare(matrix, centre, [true, true, false, true, false]);
  for (const centre of alignments) drawSquare(matrix, centre, [true, false, true]);
  drawFormat(matrix);
  drawVersion(matrix);
}

/** A position outside the code is left out. */
function draw(matrix: Matrix, x: number, y: number, isDark: boolean): void {
  const row = matrix[y];
  if (row && x >= 0 && x < modules) row[x] = isDark;
}

/** @param rings whether each ring is dark, from the centre outwards */
function drawSquare(matrix: Matrix, [x, y]: Position, rings: readonly boolean[]): void {
  const radius = rings.length - 1;
  const side = 2 * radius + 1;
  for (let index = 0; index < side * side; index++) {
    const [dx, dy] = [(index % side) - radius, Math.floor(index / side) - radius];
    draw(matrix, x + dx, y + dy, rings[Math.max(Math.abs(dx), Math.abs(dy))] === true);
  }
}

function drawFormat(matrix: Matrix): void {
  for (let index = 0; index < 15; index++) {
    const along = index < 6 ? index : index < 8 ? index + 1 : modules - 15 + index;
    const across = index < 8 ? last - index : index === 8 ? 7 : 14 - index;
    draw(matrix, 8, along, hasBit(formatBits, index));
    draw(matrix, across, 8, hasBit(formatBits, index));
  }
  draw(matrix, 8, modules - 8, true);
}

function drawVersion(matrix: Matrix): void {
  for (let index = 0; index < 18; index++) {
    const [near, far] = [Math.floor(index / 3), modules - 11 + (index % 3)];
    draw(matrix, far, near, hasBit(versionBits, index));
    draw(matrix, near, far, hasBit(versionBits, index));
  }
}

function hasBit(bits: number, index: number): boolean {
  return ((bits >> index) & 1) === 1;
}

/** Fills the modules that belong to no pattern, with mask 0. */
function drawCodewords(matrix: Matrix, codewords: readonly number[]): void {
  const free = pathOfCodewords().filter(([x, y]) => matrix[y]?.[x] === undefined);
  free.forEach(([x, y], index) => {
    const isSet = hasBit(codewords[index >> 3] ?? 0, 7 - (index & 7));
    draw(matrix, x, y, isSet !== ((x + y) % 2 === 0));
  });
}

/** Two columns at a time, from the right: up the first two, down the next. */
function pathOfCodewords(): Position[] {
  return Array.from({ length: last * modules }, (_, index) => {
    const pair = Math.floor(index / (2 * modules));
    const step = (index >> 1) % modules;
    const right = last - 2 * pair;
    // The column of the timing pattern is skipped.
    const skipped = right > 6 ? 0 : 1;
    return [right - skipped - (index % 2), pair % 2 === 0 ? last - step : step];
  });
}
