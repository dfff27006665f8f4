import { printableText } from '@tessera/client/internals';
import { words } from './words.ts';

interface Named {
  readonly displayName: string | null;
  readonly primaryEmail: string | null;
}

/** The displayed name of a user: what is visible of the display name, else email address, else "No name". */
export function userName({ displayName, primaryEmail }: Named): string {
  return printableText(displayName ?? '') || primaryEmail || words.noName;
}
