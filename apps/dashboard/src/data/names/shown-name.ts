import { printableText } from '@tessera/client/internals';

/**
 * The name of a team or project as pages show it: without characters that change the text direction, so that a name cannot
 * pretend to be another one. A dash when nothing of it is visible.
 */
export function shownName(name: string): string {
  return printableText(name) || '–';
}
