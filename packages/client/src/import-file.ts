/**
 * The entry point for the dashboard and the command line, not for other apps: its names may change in any version. Reads
 * files with users, such as the exports of other systems, as {@link ImportedUser}s.
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
