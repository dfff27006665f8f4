import type { Socket } from 'node:net';
import type pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { ResultTooLarge } from '../errors.ts';

interface Message {
  readonly name: string;
  readonly length: number;
}

/** The driver's parser, with the method that its types declare private. */
const DriverParser = Parser as unknown as new () => {
  parse(bytes: Buffer, onMessage: (message: Message) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message;
};

/** The driver's connection, with what its types do not declare. */
type DriverConnection = pg.Connection & { attachListeners(stream: Socket): void };

const dataRow = 'D'.charCodeAt(0);
/** Of the number of fields in a row, and of the size of a field or a message. */
const countBytes = 2;
const sizeBytes = 4;
const sizeOfNull = -1;

class RowParser extends DriverParser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message {
    if (code !== dataRow) return super.handlePacket(offset, code, length, bytes);
    const row: Message & { fields: Fields } = {
      name: 'dataRow',
      length,
      fields: readFields(bytes, offset, offset + length - sizeBytes),
    };
    return row;
  }
}

/** How many bytes the rows of the running statement may still have. */
export interface ResultLimit {
  bytesLeft: number;
}

/**
 * Replaces the driver's parser, which decodes each field alone: a page of 100 users takes a tenth less of this process.
 *
 * @returns the limit of the running statement. Above it the connection is closed, because PostgreSQL would send the rest
 */
export function installRowParser(given: pg.Connection): ResultLimit {
  const connection = given as DriverConnection;
  const limit: ResultLimit = { bytesLeft: Number.POSITIVE_INFINITY };
  connection.attachListeners = stream => {
    const parser = new RowParser();
    const pass = (message: Message) => {
      if (message.name === 'dataRow') limit.bytesLeft -= message.length;
      if (limit.bytesLeft < 0) stream.destroy(new ResultTooLarge('the rows of a statement are too large'));
      else connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    };
    stream.on('data', (bytes: Buffer) => parser.parse(bytes, pass));
  };
  return limit;
}

/** The texts of a row in the order of its columns. */
type Fields = (string | null)[];

/**
 * Reads a `DataRow` (PostgreSQL documentation, 53.7): the number of fields, and for each its size in bytes and its text in
 * UTF-8. The whole row is decoded as Latin-1, where each byte is one character, and the fields are cut out of it. In a row
 * with other characters than ASCII, each field is decoded again.
 */
function readFields(bytes: Buffer, start: number, end: number): Fields {
  const row = bytes.toString('latin1', start, end);
  const fields: Fields = new Array(bytes.readInt16BE(start));
  let at = countBytes;
  let highBytesInSizes = 0;
  for (let index = 0; index < fields.length; index++) {
    const size = bytes.readInt32BE(start + at);
    at += sizeBytes;
    highBytesInSizes += countHighBytes(size);
    fields[index] = size === sizeOfNull ? null : row.slice(at, at + size);
    if (size !== sizeOfNull) at += size;
  }
  // The characters of high bytes have two bytes in UTF-8.
  const highBytes = Buffer.byteLength(row) - row.length;
  return highBytes === highBytesInSizes ? fields : decodeFields(bytes, start, fields);
}

/** How many of the four bytes of a size are above 127. */
function countHighBytes(size: number): number {
  return ((size >>> 7) & 1) + ((size >>> 15) & 1) + ((size >>> 23) & 1) + (size >>> 31);
}

/** @param fields with a character for each byte */
function decodeFields(bytes: Buffer, start: number, fields: Fields): Fields {
  let at = start + countBytes;
  return fields.map(field => {
    at += sizeBytes;
    if (field === null) return null;
    const from = at;
    at += field.length;
    return bytes.toString('utf8', from, at);
  });
}
