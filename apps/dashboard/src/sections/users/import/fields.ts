import type { ImportedUser } from '@tessera/client';
import { words } from './words.ts';

/** A value of a file: a text of a CSV file, any JSON of a JSON file. */
export type Cell = ImportedUser[string];

/** A row of a file, by column. */
export type FileRow = Readonly<Record<string, Cell>>;

/** A field of an imported user. */
export type ImportField = keyof typeof words.fields;

/** The fields, in the order of the screen. */
export const importFields = Object.keys(words.fields) as readonly ImportField[];

/** What each column means; a column without an entry is left out. */
export type Mapping = Readonly<Record<string, ImportField>>;

/** Names of the columns in exports of other systems, without spaces and marks. */
const otherNames: Readonly<Record<string, ImportField>> = {
  email: 'primary_email',
  emailaddress: 'primary_email',
  mail: 'primary_email',
  emailverified: 'primary_email_verified',
  verified: 'primary_email_verified',
  name: 'display_name',
  fullname: 'display_name',
  passwordhash: 'password_hash',
  passworddigest: 'password_hash',
  encryptedpassword: 'password_hash',
  avatar: 'profile_image_url',
  avatarurl: 'profile_image_url',
  picture: 'profile_image_url',
  createdat: 'signed_up_at_millis',
  signedupat: 'signed_up_at_millis',
  metadata: 'server_metadata',
};

/** Guesses what the columns mean. A field has one column. */
export function guessMapping(columns: readonly string[]): Mapping {
  const mapping: Record<string, ImportField> = {};
  for (const column of columns) {
    const name = column.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    const field = importFields.find(one => one.replaceAll('_', '') === name) ?? otherNames[name];
    if (field !== undefined && !Object.values(mapping).includes(field)) mapping[column] = field;
  }
  return mapping;
}

const booleanFields: readonly ImportField[] = [
  'primary_email_verified',
  'primary_email_auth_enabled',
  'otp_auth_enabled',
];
const jsonFields: readonly ImportField[] = [
  'client_metadata',
  'client_read_only_metadata',
  'server_metadata',
  'oauth_providers',
];

/** The user of a row. An empty cell names nothing. A value that cannot be read is sent as it is, so the report names it. */
export function importedUserOf(row: FileRow, mapping: Mapping): ImportedUser {
  const entries = Object.entries(mapping).flatMap(([column, field]) => {
    const cell = row[column];
    return cell === undefined || cell === '' || cell === null ? [] : [[field, fieldValue(field, cell)] as const];
  });
  return Object.fromEntries(entries);
}

/** The user with a verified address, where the row has an address and does not say whether it is verified. */
export function withVerifiedAddress(user: ImportedUser): ImportedUser {
  if (user.primary_email === undefined || user.primary_email_verified !== undefined) return user;
  return { ...user, primary_email_verified: true };
}

function fieldValue(field: ImportField, cell: Cell): Cell {
  if (field === 'signed_up_at_millis') return timeOf(cell);
  if (typeof cell !== 'string') return cell;
  if (booleanFields.includes(field)) return booleanOf(cell);
  if (jsonFields.includes(field)) return jsonOf(cell);
  return cell.trim();
}

function booleanOf(text: string): Cell {
  const word = text.trim().toLowerCase();
  if (['true', 't', 'yes', 'y', '1'].includes(word)) return true;
  return ['false', 'f', 'no', 'n', '0'].includes(word) ? false : text;
}

function jsonOf(text: string): Cell {
  try {
    return JSON.parse(text);
  } catch {
    // Metadata may be any JSON, and so may be a text.
    return text;
  }
}

/** Milliseconds, seconds (ten digits or fewer) or a date with a year first, which is in UTC unless it names an offset. */
function timeOf(cell: Cell): Cell {
  const text = String(cell).trim();
  if (/^\d+$/.test(text)) return text.length <= 10 ? Number(text) * 1000 : Number(text);
  const millis = parseTime(text);
  return millis === undefined || !namesRealDay(text) ? cell : millis;
}

function parseTime(text: string): number | undefined {
  return [inUtc(text), text].map(Date.parse).find(time => !Number.isNaN(time));
}

/** Behind a year and a month, a month in numbers, or the name of a month; also before it. */
const dayPattern = /^(?:\d{4}\D\d{1,2}\D(\d{1,2})|(?:\d{1,2}[/.-])?\D*(\d{1,2})\b)/;

/** `Date.parse` reads a 31st of February as the 2nd of March. */
function namesRealDay(text: string): boolean {
  const date = text.replace(/[T ]\d{1,2}:.*$/i, '');
  const [, afterYear, other] = dayPattern.exec(date) ?? [];
  const day = afterYear ?? other;
  const millis = parseTime(date);
  return day === undefined || millis === undefined || new Date(millis).getUTCDate() === Number(day);
}

/** Behind a named zone, the added one makes the text unreadable; behind an offset it would replace the offset. */
function inUtc(text: string): string {
  if (/:\d.*[+-]\d/.test(text)) return text;
  return /[ap]m$/i.test(text) ? `${text} Z` : `${text}Z`;
}
