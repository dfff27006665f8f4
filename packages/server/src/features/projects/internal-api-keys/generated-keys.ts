import type { KeyKind } from '../../../core/project.ts';
import { randomSecret } from '../../../platform/crypto/random.ts';

/** Prefixes by which people and secret scanners identify a kind of key (docs/contract/envelope.md#access-levels). */
const prefixes: Readonly<Record<KeyKind, string>> = {
  publishableClientKey: 'pck_',
  secretServerKey: 'ssk_',
  superSecretAdminKey: 'sak_',
};

/** Generates keys of some kinds: a prefix and 225 random bits. */
export function generateKeys<const Kind extends KeyKind>(kinds: readonly Kind[]): Record<Kind, string> {
  return Object.fromEntries(kinds.map(kind => [kind, prefixes[kind] + randomSecret()])) as Record<Kind, string>;
}
