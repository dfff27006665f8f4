import { words } from './words.ts';

interface Named {
  readonly displayName: string | null;
  readonly primaryEmail: string | null;
}

/** The displayed name of a user: display name, else email address, else "No name". */
export function userName({ displayName, primaryEmail }: Named): string {
  return displayName?.trim() || primaryEmail || words.noName;
}
