import type { ProviderId } from '@tessera/client';
import type { FieldErrors } from '../../components/form/use-form.ts';
import type { Owner } from '../../data/owner.tsx';
import { words } from './words.ts';

/** The choices for a new project. */
export interface Draft {
  readonly name: string;
  readonly hasPassword: boolean;
  readonly hasEmailCode: boolean;
  readonly hasPasskey: boolean;
  readonly providers: readonly ProviderId[];
}

/** The choices that most apps keep. */
export const firstDraft: Draft = {
  name: '',
  hasPassword: true,
  hasEmailCode: true,
  hasPasskey: false,
  providers: [],
};

/** A project has a name and at least one way to sign in. */
export function validateDraft(draft: Draft): FieldErrors<Draft> {
  const { name, hasPassword, hasEmailCode, hasPasskey, providers } = draft;
  // A passkey is added to an existing account, so it is no way to sign up.
  const isUsable = hasPassword || hasEmailCode || providers.length > 0;
  return {
    name: name.trim() === '' ? words.nameRequired : undefined,
    providers: isUsable ? undefined : hasPasskey ? words.passkeyNeedsMore : words.methodRequired,
  };
}

/** The settings of the new project. */
export function settingsOf(draft: Draft): Parameters<Owner['createProject']>[0] {
  return {
    displayName: draft.name.trim(),
    config: {
      credentialEnabled: draft.hasPassword,
      magicLinkEnabled: draft.hasEmailCode,
      passkeyEnabled: draft.hasPasskey,
      oauthProviders: draft.providers.map(id => ({ id, type: 'shared' })),
    },
  };
}
