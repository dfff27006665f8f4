import { expect, test } from 'vitest';
import type { ProjectRecord } from '../store.ts';
import { diffSettings } from './settings-diff.ts';

const project: ProjectRecord = {
  id: 'an id',
  displayName: 'Shop',
  description: '',
  isProductionMode: false,
  config: {},
  createdAtMillis: 1,
};
const changed = (fields: Partial<ProjectRecord>) => diffSettings(project, { ...project, ...fields });

test.each<[string, Partial<ProjectRecord>, ReturnType<typeof changed>]>([
  ['an empty change', {}, undefined],
  ['a setting that is set to its default', { config: { signUpEnabled: true } }, undefined],
  ['a name', { displayName: 'New' }, { before: { display_name: 'Shop' }, after: { display_name: 'New' } }],
  [
    'a boolean setting',
    { config: { magicLinkEnabled: true } },
    { before: { magic_link_enabled: false }, after: { magic_link_enabled: true } },
  ],
  [
    'a setting that was unset',
    { config: { refusesWeakPasswords: false } },
    { before: { refuses_weak_passwords: null }, after: { refuses_weak_passwords: false } },
  ],
  [
    'a list of permissions, with unchanged ids',
    { config: { userDefaultPermissions: ['readAll'] } },
    { before: { user_default_permissions: [] }, after: { user_default_permissions: ['readAll'] } },
  ],
  [
    'secrets',
    {
      config: {
        oauthProviders: [{ id: 'github', type: 'standard', clientId: 'c', sealedClientSecret: 'sealed' }],
        emailConfig: {
          type: 'standard',
          host: 'h',
          port: 1,
          username: 'u',
          sealedPassword: 'sealed',
          senderName: 'n',
          senderEmail: 'e',
        },
      },
    },
    {
      before: { oauth_providers: [], email_config: { type: 'shared' } },
      after: {
        oauth_providers: [{ id: 'github', type: 'standard', client_id: 'c', client_secret: '[hidden]' }],
        email_config: {
          type: 'standard',
          host: 'h',
          port: 1,
          username: 'u',
          password: '[hidden]',
          sender_name: 'n',
          sender_email: 'e',
        },
      },
    },
  ],
])('control 97: the entry of the audit log for %s', (_, fields, expected) => {
  expect(changed(fields)).toEqual(expected);
});
