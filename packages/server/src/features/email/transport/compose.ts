import { domainToASCII } from 'node:url';
import type { Message } from './transport.ts';

/** Recommended length of a line (RFC 5322, section 2.1.1), and the limit of an encoded line (RFC 2045, section 6.7). */
const lineMaxLength = 76;
/** Bytes of text in an encoded word: at most 75 characters with its frame (RFC 2047, section 2). */
const wordMaxBytes = 45;
/** The line of a subject, without the name of the header. */
const subjectLineLength = lineMaxLength - 'Subject: '.length;
const lineBreak = '\r\n';

/**
 * Writes an email in the format of RFC 5322: a text part and, unless it is empty, an HTML part, in UTF-8 and
 * quoted-printable. The result is one text, because composing with the mail client's streams takes about ten times as
 * long as the rest of the delivery.
 */
export function composeEmail(message: Message, nowMillis: number): string {
  const { id, from, to, subject, html, text, unsubscribeUrl } = message;
  const address = asciiAddress(from.address);
  const headers = [
    `From: ${from.name === '' ? address : `${displayName(from.name)} <${address}>`}`,
    `To: ${asciiAddress(to)}`,
    `Subject: ${foldHeader(subject)}`,
    `Message-ID: <${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    `Date: ${new Date(nowMillis).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Auto-Submitted: auto-generated',
    ...unsubscribeHeaders(unsubscribeUrl),
  ];
  if (html === '') return [...headers, ...part('text/plain', text)].join(lineBreak);
  // `=_` never occurs in quoted-printable text, so no content can end a part.
  const boundary = `=_${id}`;
  return [
    ...headers,
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...part('text/plain', text),
    `--${boundary}`,
    ...part('text/html', html),
    `--${boundary}--`,
    '',
  ].join(lineBreak);
}

function part(type: string, content: string): string[] {
  return [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    quotedPrintable(content),
  ];
}

/** One-click unsubscribe (RFC 8058): mail programs show a button that sends a POST to the URL. */
function unsubscribeHeaders(url: string | undefined): string[] {
  if (url === undefined) return [];
  return [`List-Unsubscribe: <${url}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'];
}

/** The domain in its ASCII form; a local part outside ASCII needs a server with SMTPUTF8. */
function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

/** A name before an address (RFC 5322, section 3.4): plain, quoted, or encoded. */
function displayName(name: string): string {
  if (/^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/.test(name) && name.length < lineMaxLength) return name;
  if (isPlain(name) && name.length < lineMaxLength) return `"${name.replace(/["\\]/g, '\\$&')}"`;
  return encodedWords(name);
}

/** Unstructured text of a header: folded at spaces, or encoded when it is not plain ASCII. */
function foldHeader(text: string): string {
  if (!isPlain(text) || /\S{60}/.test(text)) return encodedWords(text);
  if (text.length <= subjectLineLength) return text;
  return text.replace(/(.{1,64}) (?=\S)/g, `$1${lineBreak} `);
}

/** ASCII that no reader takes for an encoded word, without spaces that folding would lose. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7E]*$/.test(text) && !text.includes('=?') && !/^ | {2}| $/.test(text);
}

function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  let bytes = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > wordMaxBytes) {
      words.push(word);
      word = '';
      bytes = 0;
    }
    word += character;
    bytes += size;
  }
  words.push(word);
  return words.map(one => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(`${lineBreak} `);
}

/** RFC 2045, section 6.7. */
function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(encodedLine)
    .join(lineBreak);
}

function encodedLine(line: string): string {
  // Most lines have no character but `=` to encode, and its replacement needs no pattern.
  const equals = line.replaceAll('=', '=3D');
  const plain = /^[\t\x20-\x7E]*$/.test(equals) ? equals : equals.replace(/[^\t\x20-\x7E]/gu, encodedBytes);
  let rest = /[\t ]$/.test(plain) ? plain.slice(0, -1) + encodedBytes(plain.slice(-1)) : plain;
  if (rest.length <= lineMaxLength) return rest;
  const lines: string[] = [];
  while (rest.length > lineMaxLength) {
    const end = softBreak(rest);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...lines, rest].join(`=${lineBreak}`);
}

/** The place of a soft line break, which must not cut an encoded byte. */
function softBreak(line: string): number {
  const end = lineMaxLength - 1;
  if (line[end - 1] === '=') return end - 1;
  return line[end - 2] === '=' ? end - 2 : end;
}

function encodedBytes(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '=$&');
}
