import { refuse } from '../../../../http/refusal.ts';

const bcryptHash = /^\$2[aby]\$(?:0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/;
const argon2Hash =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{16,88})$/;
/** RFC 9106 section 3.1: argon2 needs at least this much memory for each lane. */
const minImportedMemoryKibPerLane = 8;
const maxImportedMemoryKib = 262_144;
const maxImportedPasses = 10;
const maxImportedLanes = 8;

/**
 * An imported hash must have a known format and an affordable cost.
 *
 * @throws a text 400
 */
export function assertImportableHash(hash: string): void {
  if (bcryptHash.test(hash) || isAffordableArgon2(hash)) return;
  refuse(400, 'A password hash must be bcrypt ($2a$, $2b$, $2y$, cost up to 16) or argon2id in PHC form.');
}

function isAffordableArgon2(hash: string): boolean {
  const match = argon2Hash.exec(hash);
  if (match === null) return false;
  const [, memoryKib, passes, lanes, salt = '', output = ''] = match;
  return (
    Number(memoryKib) >= minImportedMemoryKibPerLane * Number(lanes) &&
    Number(memoryKib) <= maxImportedMemoryKib &&
    Number(passes) <= maxImportedPasses &&
    Number(lanes) <= maxImportedLanes &&
    isWholeBytes(salt) &&
    isWholeBytes(output)
  );
}

/** True for base64 that encodes whole bytes: the library fails on any other text at every sign-in. */
function isWholeBytes(text: string): boolean {
  return (
    Buffer.from(text, 'base64')
      .toString('base64')
      .replace(/(?<!=)=+$/, '') === text
  );
}
