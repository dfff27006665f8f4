import { providerLook } from '@tessera/ui';
import { emailProblem } from '../../form/email-rule.ts';
import { parseJson } from '../../storage/parse-json.ts';
import type { Translate } from '../../words/words.ts';

/** A sign-in with a provider whose address belongs to an existing account. */
export interface AccountConflict {
  /** Id of the provider; undefined when it is not known. */
  readonly provider: string | undefined;
  /** The address of the account. */
  readonly email: string;
  /** How the account signs in, for people. Empty when only the owner of the address may know it. */
  readonly methods: readonly string[];
}

const providerId = /^[a-z0-9-]{1,40}$/;
const mostMethods = 20;

/**
 * Reads the conflict from the query of the error page. The author of the link chooses all of it, so that only an address
 * and names of our own are shown.
 *
 * @returns undefined for another error, or without an address
 */
export function accountConflict(query: URLSearchParams, translate: Translate): AccountConflict | undefined {
  if (query.get('errorCode') !== 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE') return undefined;
  const email = addressIn(query.get('details'));
  if (email === undefined) return undefined;
  const given = query.get('provider') ?? '';
  const methods = (query.get('account_methods') ?? '').split(',', mostMethods).filter(id => providerId.test(id));
  return {
    provider: providerId.test(given) ? given : undefined,
    email,
    methods: methods.map(method => methodName(method, translate)),
  };
}

function methodName(method: string, translate: Translate): string {
  if (method === 'password') return translate('access.password');
  if (method === 'code') return translate('access.otp');
  return method === 'passkey' ? translate('access.passkey') : providerLook(method).name;
}

function addressIn(details: string | null): string | undefined {
  const address = parseJson(details)?.contact_channel_value;
  return typeof address === 'string' && emailProblem(address) === undefined ? address : undefined;
}
