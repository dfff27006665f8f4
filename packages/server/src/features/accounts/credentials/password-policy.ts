import { fail, passwordMinLength } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import type { Settings } from '../../../env.ts';
import { isCommonPassword } from '../../../platform/crypto/common-passwords.ts';

/** Shorter words occur by chance in many good passwords. */
const contextWordMinLength = 3;

/**
 * Refuses common passwords and passwords made of public facts about the account (controls 6 and 7,
 * docs/contract/decisions.md#controls-and-the-contract). The project setting decides; without one the check is on in
 * production.
 *
 * @param addresses of the user
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

/** True when the password, without the words of these names, is shorter than a password may be. */
export function isContextual(password: string, names: readonly string[]): boolean {
  const words = names.flatMap(wordsOf).sort((one, other) => other.length - one.length);
  const plain = lettersOf(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest !== plain && rest.length < passwordMinLength;
}

/** The whole name, and each of its parts. */
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
