import { expect, test } from 'vitest';
import type { Endpoint } from '../endpoint.ts';
import { roleOf } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { type SvixEndpoint, svixEndpoints } from '../resources/webhooks/svix.ts';

type Declared = Pick<Endpoint, 'method' | 'role' | 'recentSignInWithinMs'> & { readonly path: string };

const extensions = Object.values<Endpoint>(endpoints).filter(({ path }) => path.startsWith('/internal/extensions/'));
const webhooks = Object.values<SvixEndpoint>(svixEndpoints);
const nameOf = ({ method, path }: Declared) => `${method} ${path}`;

/** The names of the endpoints by a property, sorted. */
function namesBy(declared: readonly Declared[], property: (one: Declared) => string | undefined) {
  const values = [...new Set(declared.map(property))].filter(value => value !== undefined);
  return Object.fromEntries(
    values.map(value => [
      value,
      declared
        .filter(one => property(one) === value)
        .map(nameOf)
        .sort(),
    ]),
  );
}

test('the lowest role of each extension endpoint for owners and of each webhook endpoint', () => {
  expect(namesBy([...extensions, ...webhooks], roleOf)).toMatchInlineSnapshot(`
    {
      "admin": [
        "DELETE /app/{app_id}/endpoint/{endpoint_id}",
        "DELETE /internal/extensions/users/{user_id}/deletion",
        "DELETE /internal/extensions/users/{user_id}/sign-in-blocks",
        "GET /app/{app_id}/endpoint/{endpoint_id}/secret",
        "GET /internal/extensions/messages",
        "GET /internal/extensions/messages/{id}",
        "GET /internal/extensions/oauth-provider-tests/{test_id}",
        "GET /internal/extensions/sent-emails",
        "GET /internal/extensions/sent-emails/{id}",
        "GET /internal/extensions/waiting-emails",
        "PATCH /app/{app_id}/endpoint/{endpoint_id}",
        "PATCH /internal/extensions/account-deletion",
        "PATCH /internal/extensions/anonymous-users",
        "PATCH /internal/extensions/audit-log-settings",
        "PATCH /internal/extensions/branding",
        "PATCH /internal/extensions/email-verification",
        "PATCH /internal/extensions/invitations",
        "PATCH /internal/extensions/limits",
        "PATCH /internal/extensions/passkey-policy",
        "PATCH /internal/extensions/password-policy",
        "PATCH /internal/extensions/session-policy",
        "PATCH /internal/extensions/sign-in-notices",
        "PATCH /internal/extensions/sign-up-restrictions",
        "PATCH /internal/extensions/team-roles",
        "POST /app/{app_id}/endpoint",
        "POST /app/{app_id}/endpoint/{endpoint_id}/secret/rotate",
        "POST /app/{app_id}/endpoint/{endpoint_id}/send-example",
        "POST /app/{app_id}/msg/{msg_id}/endpoint/{endpoint_id}/resend",
        "POST /internal/extensions/email-templates/{type}/test",
        "POST /internal/extensions/messages",
        "POST /internal/extensions/messages/audience",
        "POST /internal/extensions/messages/preview",
        "POST /internal/extensions/messages/{id}/cancel",
        "POST /internal/extensions/oauth-provider-tests",
        "POST /internal/extensions/sent-emails/{id}/send-again",
        "POST /internal/extensions/signing-keys/rotate",
        "POST /internal/extensions/teams/{team_id}/invitations/{id}/send-again",
        "POST /internal/extensions/users/import",
        "POST /internal/extensions/users/{user_id}/impersonations",
        "POST /internal/extensions/users/{user_id}/links",
        "PUT /app/{app_id}/endpoint/{endpoint_id}",
      ],
      "owner": [
        "DELETE /internal/extensions/project-invitations/{id}",
        "PATCH /internal/extensions/project-members/{user_id}",
        "POST /internal/extensions/project-invitations",
        "POST /internal/extensions/project-transfer",
      ],
      "viewer": [
        "DELETE /internal/extensions/project-members/{user_id}",
        "GET /app/{app_id}",
        "GET /app/{app_id}/attempt/endpoint/{endpoint_id}",
        "GET /app/{app_id}/attempt/msg/{msg_id}",
        "GET /app/{app_id}/endpoint",
        "GET /app/{app_id}/endpoint/{endpoint_id}",
        "GET /app/{app_id}/endpoint/{endpoint_id}/msg",
        "GET /app/{app_id}/msg",
        "GET /app/{app_id}/msg/{msg_id}",
        "GET /internal/extensions/account-deletion",
        "GET /internal/extensions/anonymous-users",
        "GET /internal/extensions/api-key-usage/{id}",
        "GET /internal/extensions/audit-log",
        "GET /internal/extensions/audit-log-settings",
        "GET /internal/extensions/audit-log/export",
        "GET /internal/extensions/branding",
        "GET /internal/extensions/email-verification",
        "GET /internal/extensions/invitations",
        "GET /internal/extensions/key-set-uses",
        "GET /internal/extensions/limits",
        "GET /internal/extensions/metrics-history",
        "GET /internal/extensions/passkey-policy",
        "GET /internal/extensions/password-policy",
        "GET /internal/extensions/project-invitations",
        "GET /internal/extensions/project-members",
        "GET /internal/extensions/project-roles",
        "GET /internal/extensions/session-policy",
        "GET /internal/extensions/sign-in-notices",
        "GET /internal/extensions/sign-up-restrictions",
        "GET /internal/extensions/team-roles",
        "GET /internal/extensions/teams",
        "GET /internal/extensions/users",
        "GET /internal/extensions/users/export",
        "GET /internal/extensions/users/{user_id}/deletion",
        "GET /internal/extensions/users/{user_id}/sign-in-blocks",
        "GET /internal/extensions/webhooks",
        "POST /internal/extensions/email-templates/{type}/preview",
      ],
    }
  `);
});

test('the age of a sign-in that each sensitive endpoint accepts', () => {
  const minutes = ({ recentSignInWithinMs: ms }: Declared) => (ms === undefined ? undefined : `${ms / 60_000} minutes`);
  expect(namesBy([...Object.values<Endpoint>(endpoints), ...webhooks], minutes)).toMatchInlineSnapshot(`
    {
      "10 minutes": [
        "POST /auth/oauth/connected-accounts/{provider_id}/access-token",
        "POST /auth/sessions",
        "POST /connected-accounts/{user_id}/{provider_id}/access-token",
        "POST /internal/extensions/users/{user_id}/impersonations",
        "POST /internal/extensions/users/{user_id}/links",
      ],
      "60 minutes": [
        "DELETE /internal/extensions/project-members/{user_id}",
        "DELETE /internal/projects/current",
        "GET /app/{app_id}/endpoint/{endpoint_id}/secret",
        "PATCH /email-templates/{type}",
        "PATCH /internal/extensions/project-members/{user_id}",
        "POST /app/{app_id}/endpoint/{endpoint_id}/secret/rotate",
        "POST /internal/api-keys",
        "POST /internal/extensions/project-invitations",
        "POST /internal/extensions/project-transfer",
        "POST /internal/extensions/signing-keys/rotate",
      ],
    }
  `);
});
