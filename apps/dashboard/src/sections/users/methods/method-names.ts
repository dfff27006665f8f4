import { providerName } from '../../../data/oauth-providers.ts';
import type { ListedUser } from '../queries.ts';
import { words } from '../words.ts';
import { signsInByCode } from './email-code.ts';

type Methods = Pick<ListedUser, 'hasPassword' | 'emailCode' | 'passkeyAuthEnabled'> & {
  readonly oauthProviders: readonly { readonly id: string }[];
};

/** The names of the methods that sign a user in. */
export function methodNames(user: Methods, config: Parameters<typeof signsInByCode>[1]): readonly string[] {
  return [
    ...(user.hasPassword ? [words.method.password] : []),
    ...(signsInByCode(user.emailCode, config) ? [words.method.emailCode] : []),
    ...(user.passkeyAuthEnabled ? [words.method.passkey] : []),
    ...user.oauthProviders.map(({ id }) => providerName(id)),
  ];
}
