import { randomBytes } from 'node:crypto';

/** Somebody with an address and a password. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Somebody who has no account yet. */
export function somebody(): Person {
  const name = randomBytes(6).toString('hex');
  return { email: `ada-${name}@example.com`, password: `correct horse ${name}` };
}
