import { providerTestFailureReasons } from '@tessera/protocol';
import * as z from 'zod';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Profile, type ProviderFailure, type ProviderFailureReason, removeUnstorable } from '../rules.ts';

/** The encryption purpose of results, which contain the account of a person. */
export const providerTestPurpose = 'oauth provider test';

const messageMaxLength = 500;

const outcome = z.object({
  account: z.object({ id: z.string(), email: z.string().nullable(), isEmailVerified: z.boolean() }).nullable(),
  failure: z.object({ reason: z.enum(providerTestFailureReasons), message: z.string() }).nullable(),
});

/** The account that signed in, or the reason why none did. */
export type ProviderTestOutcome = z.infer<typeof outcome>;

type WireReason = (typeof providerTestFailureReasons)[number];

const wireReasons: Readonly<Record<ProviderFailureReason, WireReason>> = {
  denied: 'denied',
  grant: 'grant',
  client: 'client',
  scope: 'scope',
  hiddenEmail: 'hidden_email',
  noEmail: 'no_email',
  answer: 'answer',
  unreachable: 'unreachable',
};

export function successOf({ accountId, email, isEmailVerified }: Profile): ProviderTestOutcome {
  return { account: { id: accountId, email, isEmailVerified }, failure: null };
}

export function failureOf({ reason, message, description }: ProviderFailure): ProviderTestOutcome {
  const words = description === undefined ? message : `${message} (${description})`;
  return {
    account: null,
    failure: { reason: wireReasons[reason], message: removeUnstorable(words).slice(0, messageMaxLength) },
  };
}

/** The tester came back after the lifetime of the flow. */
export const expiredOutcome: ProviderTestOutcome = {
  account: null,
  failure: { reason: 'expired', message: 'the test took longer than ten minutes' },
};

export function encryptOutcome(test: ProviderTestOutcome, secrets: Secrets): Buffer {
  return secrets.encrypt(providerTestPurpose, JSON.stringify(test));
}

export function decryptOutcome(encrypted: Buffer, secrets: Secrets): ProviderTestOutcome {
  return outcome.parse(JSON.parse(secrets.decrypt(providerTestPurpose, encrypted).toString()));
}
