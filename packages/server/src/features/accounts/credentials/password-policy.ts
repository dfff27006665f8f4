import { fail, passwordMinLength } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import { isCommonPassword } from '../../../platform/crypto/common-passwords.ts';
import type { Project } from '../../projects/index.ts';

/** Shorter words stand in too many good passwords by chance. */
const contextWordMinLength = 3;

/**
 * Refuses passwords that many people have, and those that are made of what everybody knows of an account
 * (docs/contract/decisions.md#controls-and-the-contract,
 * controls 6 and 7): where the project wants it, and in production unless the project does not.
 *
 * @param addresses of whoever the password is for
 * @throws PASSWORD_REQUIREMENTS_NOT_MET
 */
export async function assertStrongPassword(
  password: string,
  { project, addresses }: { project: Project; addresses: readonly (string | null)[] },
  { settings }: { settings: Pick<Settings, 'mode'> },
): Promise<void> {
  if (!(project.config.refusesWeakPasswords ?? settings.mode === 'production')) return;
  const names = [project.displayName, ...addresses.map(localPart)];
  if (isContextual(password, names)) {
    fail('PASSWORD_REQUIREMENTS_NOT_MET', undefined, {
      message: 'This password is made of names that are easy to guess. Choose another one.',
    });
  }
  if (await isCommonPassword(password)) {
    fail('PASSWORD_REQUIREMENTS_NOT_MET', undefined, {
      message: 'This password is used by many people and easy to guess. Choose another one.',
    });
  }
}

/** True when too little is left of a password without the words of these names to be a password by itself. */
export function isContextual(password: string, names: readonly string[]): boolean {
  const words = names.flatMap(wordsOf).sort((one, other) => other.length - one.length);
  const plain = lettersOf(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest !== plain && rest.length < passwordMinLength;
}

/** A name as a whole, and each of its parts. */
function wordsOf(name: string): string[] {
  const parts = name.split(/[^\p{L}\p{N}]+/u).map(lettersOf);
  return [...new Set([lettersOf(name), ...parts])].filter(word => word.length >= contextWordMinLength);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function localPart(address: string | null): string {
  return (address ?? '').split('@')[0] ?? '';
}
