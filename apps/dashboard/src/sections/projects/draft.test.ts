import { expect, test } from 'vitest';
import { firstDraft, settingsOf, validateDraft } from './draft.ts';
import { words } from './words.ts';

const none = { ...firstDraft, name: 'Shop', hasPassword: false, hasEmailCode: false };

test.each([
  ['a name and a password', { ...firstDraft, name: 'Shop' }, {}],
  ['no name', { ...firstDraft, name: '  ' }, { name: words.nameRequired }],
  ['no method', none, { providers: words.methodRequired }],
  ['only passkeys', { ...none, hasPasskey: true }, { providers: words.passkeyNeedsMore }],
  ['only a provider', { ...none, providers: ['github' as const] }, {}],
])('a draft with %s has the expected problems', (_, draft, expected) => {
  const problems = Object.entries(validateDraft(draft)).filter(([, problem]) => problem !== undefined);
  expect(Object.fromEntries(problems)).toEqual(expected);
});

test('the settings of a new project have shared keys for each chosen provider', () => {
  expect(settingsOf({ ...firstDraft, name: ' Shop ', providers: ['github'] })).toEqual({
    displayName: 'Shop',
    config: {
      credentialEnabled: true,
      magicLinkEnabled: true,
      passkeyEnabled: false,
      oauthProviders: [{ id: 'github', type: 'shared' }],
    },
  });
});
