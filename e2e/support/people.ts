import { randomBytes } from 'node:crypto';

/** A person with an address and a password. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A person without an account. */
export function newPerson(): Person {
  const name = randomBytes(6).toString('hex');
  return { email: `ada-${name}@example.com`, password: `correct horse ${name}` };
}
