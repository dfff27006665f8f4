import type { User } from '../queries.ts';
import { methodWords as methods } from './method-words.ts';

/** A method that an owner takes from a user, with what the confirmation says. */
export interface Removal {
  readonly changes: Parameters<User['update']>[0];
  readonly label: string;
  readonly title: string;
  readonly text: string;
  readonly done: string;
}

/** The methods that an owner can take away. */
export const removals = {
  password: {
    changes: { password: null },
    label: methods.removePassword,
    title: methods.removePasswordTitle,
    text: methods.removePasswordText,
    done: methods.passwordRemoved,
  },
  code: {
    changes: { otpAuthEnabled: false },
    label: methods.refuseCode,
    title: methods.refuseCodeTitle,
    text: methods.refuseCodeText,
    done: methods.codeRefused,
  },
  passkeys: {
    changes: { passkeyAuthEnabled: false },
    label: methods.removePasskeys,
    title: methods.removePasskeysTitle,
    text: methods.removePasskeysText,
    done: methods.passkeysRemoved,
  },
  factor: {
    changes: { totpMultiFactorSecret: null },
    label: methods.factorOff,
    title: methods.factorOffTitle,
    text: methods.factorOffText,
    done: methods.factorIsOff,
  },
} as const satisfies Readonly<Record<string, Removal>>;
