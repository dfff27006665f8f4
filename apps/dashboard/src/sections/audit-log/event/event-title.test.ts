import type { AuditEvent } from '@tessera/client';
import { describe, expect, test } from 'vitest';
import { changedNames, eventTitle } from './event-title.ts';

type TitledEvent = Pick<AuditEvent, 'action' | 'details' | 'before' | 'after'>;

function event(given: Partial<TitledEvent>): TitledEvent {
  return { action: 'admin.request', details: null, before: null, after: null, ...given };
}

describe('the title of an event', () => {
  test.each<[string, Partial<TitledEvent>]>([
    ['Created a webhook endpoint', { details: { route: 'POST /app/{app_id}/endpoint', params: {} } }],
    [
      'Sent a test event to a webhook endpoint',
      { details: { route: 'POST /app/{app_id}/endpoint/{endpoint_id}/send-example', params: {} } },
    ],
    [
      'Deleted the team permission writer',
      { details: { route: 'DELETE /team-permission-definitions/{id}', params: { id: 'writer' } } },
    ],
    [
      'Read the access token of a user at the provider GitHub',
      {
        details: {
          route: 'POST /connected-accounts/{user_id}/{provider_id}/access-token',
          params: { user_id: 'me', provider_id: 'github' },
        },
      },
    ],
    ['Administrative change', { details: { route: 'POST /a-route-of-a-newer-server' } }],
    ['Administrative change', { details: null }],
    ['User deleted', { action: 'user.deleted' }],
    [
      'Sign-in blocked: too many failed attempts',
      { action: 'limit.reached', details: { limit: 'failedSignInsPerAccount' } },
    ],
    ['Rate limit reached', { action: 'limit.reached', details: { limit: 'mailsPerRecipient' } }],
    ['Session created', { action: 'session.created', details: { session_id: 'x' } }],
    ['Impersonation of a user started', { action: 'session.created', details: { is_impersonation: true } }],
    [
      'Changed the sign-up restrictions',
      {
        action: 'project.config_changed',
        before: { sign_up_restrictions: { allowed: [], blocked: [] } },
        after: { sign_up_restrictions: { allowed: [], blocked: ['rival.example'] } },
      },
    ],
    [
      'Changed the trusted domains and a setting of a newer server',
      { action: 'project.config_changed', after: { domains: [], a_setting_of_a_newer_server: 1 } },
    ],
    [
      'Changed 4 project settings',
      { action: 'project.config_changed', after: { domains: [], limits: {}, team_roles: [], email_theme: 'x' } },
    ],
    ['Project settings changed', { action: 'project.config_changed' }],
  ])('is "%s" for %j', (title, given) => {
    expect(eventTitle(event(given))).toBe(title);
  });
});

describe('the changed names of an event', () => {
  test('are the fields that an administrator changed in a user', () => {
    const details = { route: 'PATCH /users/{user_id}', fields: ['display_name', 'server_metadata'] };
    expect(changedNames(event({ details }))).toEqual(['display name', 'server metadata']);
  });

  test('are the settings of a changed project', () => {
    const change = { before: { email_config: { type: 'shared' } }, after: { email_config: { type: 'standard' } } };
    expect(changedNames(event({ action: 'project.config_changed', ...change }))).toEqual(['the mail server']);
  });

  test('are empty for an event that names no change', () => {
    expect(changedNames(event({ action: 'user.deleted' }))).toEqual([]);
  });
});
