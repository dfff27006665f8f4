/**
 * The entry point for the dashboard and the command line, not for other apps: its names may change in any version. Reads
 * files with users, such as the exports of other systems, as {@link ImportedUser}s, and sends them.
 */
export {
  type FileRow,
  guessMapping,
  type ImportField,
  importedUserOf,
  importFields,
  type Mapping,
  withVerifiedAddress,
} from './users-file/fields.ts';
export { type ImportFile, readImportFile } from './users-file/read-file.ts';
export { sendUsers } from './users-file/send-users.ts';
