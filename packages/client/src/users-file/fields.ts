import type { ImportedUser } from '../features/admin/user-administration.ts';
import { isNoWithoutValue, readBoolean, readVerified } from './verified-cell.ts';

/** A value of a file: a text of a CSV file, any JSON of a JSON file. */
export type Cell = ImportedUser[string];

/** A row of a file, by column. */
export type FileRow = Readonly<Record<string, Cell>>;

/** The fields of an imported user, in the order in which a screen shows them. */
export const importFields = [
  'primary_email',
  'primary_email_verified',
  'primary_email_auth_enabled',
  'display_name',
  'password_hash',
  'otp_auth_enabled',
  'profile_image_url',
  'signed_up_at_millis',
  'client_metadata',
  'client_read_only_metadata',
  'server_metadata',
  'oauth_providers',
] as const;

/** A field of an imported user. */
export type ImportField = (typeof importFields)[number];

/** What each column means; a column without an entry is left out. */
export type Mapping = Readonly<Record<string, ImportField>>;

/** Names of the columns in exports of other systems, without spaces and marks. */
const otherNames: Readonly<Record<string, ImportField>> = {
  email: 'primary_email',
  emailaddress: 'primary_email',
  primaryemailaddress: 'primary_email',
  mail: 'primary_email',
  emailverified: 'primary_email_verified',
  verified: 'primary_email_verified',
  verifiedemailaddresses: 'primary_email_verified',
  emailconfirmedat: 'primary_email_verified',
  emailverifiedat: 'primary_email_verified',
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

/** Names of the columns of a name in two parts, in the order of the name. */
const partsOfName = [
  ['firstname', 'givenname'],
  ['lastname', 'familyname', 'surname'],
];

/** Guesses what the columns mean. A field has one column, and a name without one has the columns of its parts. */
export function guessMapping(columns: readonly string[]): Mapping {
  const mapping: Record<string, ImportField> = {};
  for (const column of columns) {
    const name = plainName(column);
    const field = importFields.find(one => one.replaceAll('_', '') === name) ?? otherNames[name];
    if (field !== undefined && !Object.values(mapping).includes(field)) mapping[column] = field;
  }
  return Object.values(mapping).includes('display_name') ? mapping : { ...mapping, ...guessPartsOfName(columns) };
}

function guessPartsOfName(columns: readonly string[]): Mapping {
  const parts = partsOfName.flatMap(names => columns.find(column => names.includes(plainName(column))) ?? []);
  return Object.fromEntries(parts.map(column => [column, 'display_name']));
}

/** The name of a column without spaces, marks and capitals. */
function plainName(column: string): string {
  return column.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const booleanFields: readonly ImportField[] = ['primary_email_auth_enabled', 'otp_auth_enabled'];
const jsonFields: readonly ImportField[] = [
  'client_metadata',
  'client_read_only_metadata',
  'server_metadata',
  'oauth_providers',
];

/** The user of a row. An empty cell names nothing. A value that cannot be read is sent as it is, so the report names it. */
export function importedUserOf(row: FileRow, mapping: Mapping): ImportedUser {
  const user: Record<string, Cell> = {};
  for (const [column, field] of Object.entries(mapping)) {
    const cell = row[column];
    if (cell !== undefined && cell !== '' && cell !== null) {
      user[field] = joinName(field, user[field], fieldValue(field, cell));
    } else if (field === 'primary_email_verified' && isNoWithoutValue(plainName(column))) {
      user[field] = false;
    }
  }
  const { primary_email: address, primary_email_verified: verified } = user;
  return verified === undefined ? user : { ...user, primary_email_verified: readVerified(verified, address) };
}

/** Only a name can have several columns. */
function joinName(field: ImportField, before: Cell | undefined, value: Cell): Cell {
  return field === 'display_name' && before !== undefined ? `${before} ${value}` : value;
}

/** The user with a verified address, where the row has an address and does not say whether it is verified. */
export function withVerifiedAddress(user: ImportedUser): ImportedUser {
  if (user.primary_email === undefined || user.primary_email_verified !== undefined) return user;
  return { ...user, primary_email_verified: true };
}

function fieldValue(field: ImportField, cell: Cell): Cell {
  if (field === 'signed_up_at_millis') return timeOf(cell);
  if (typeof cell !== 'string') return cell;
  if (booleanFields.includes(field)) return readBoolean(cell);
  if (jsonFields.includes(field)) return jsonOf(cell);
  return cell.trim();
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
