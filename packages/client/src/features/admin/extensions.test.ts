import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { adminApp, machine } from '../../test/apps.ts';
import { levels, sent } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { brokenBody, createStubServer, json } from '../../test/stub-server.ts';
import type { AuditEvent } from './audit-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(routes: Parameters<typeof createStubServer>[0] = {}) {
  const server = createStubServer(routes);
  return { server, app: adminApp(machine(server.fetch)) };
}

const extension = '/api/v1/internal/extensions';

describe('project policies', () => {
  const limits = {
    failed_sign_ins_per_account: 3,
    failed_sign_ins_per_address: null,
    mails_per_recipient: 4,
    mails_per_address: null,
    mails_per_project: 5,
    sign_ups_per_address: null,
  };

  test('each group is read with the names of the SDK', async () => {
    const { app, server } = open({
      [`GET ${extension}/anonymous-users`]: () => json({ enabled: true }),
      [`GET ${extension}/password-policy`]: () => json({ refuses_weak_passwords: null }),
      [`GET ${extension}/passkey-policy`]: () => json({ counts_as_both_factors: true }),
      [`GET ${extension}/email-verification`]: () => json({ asks_for_code: true }),
      [`GET ${extension}/account-deletion`]: () => json({ cooling_off_days: 14 }),
      [`GET ${extension}/sign-in-notices`]: () => json({ enabled: false }),
      [`GET ${extension}/session-policy`]: () =>
        json({
          lifetime_millis: 1,
          idle_lifetime_millis: null,
          fresh_sign_in_within_millis: 2,
          rotates_refresh_tokens: true,
        }),
      [`GET ${extension}/sign-up-restrictions`]: () => json({ allowed: ['shop.example'], blocked: [] }),
      [`GET ${extension}/invitations`]: () => json({ bound_to_address: true }),
      [`GET ${extension}/limits`]: () => json(limits),
      [`GET ${extension}/audit-log-settings`]: () => json({ retention_days: 30 }),
      [`GET ${extension}/branding`]: () => json({ logo_url: null, color: '#4338ca', postal_address: 'Berlin' }),
    });
    expect(await soon(app.getAnonymousUserSettings())).toEqual({ enabled: true });
    expect(await soon(app.getPasswordPolicy())).toEqual({ refusesWeakPasswords: null });
    expect(await soon(app.getPasskeyPolicy())).toEqual({ countsAsBothFactors: true });
    expect(await soon(app.getEmailVerificationSettings())).toEqual({ asksForCode: true });
    expect(await soon(app.getAccountDeletionSettings())).toEqual({ coolingOffDays: 14 });
    expect(await soon(app.getSignInNoticeSettings())).toEqual({ enabled: false });
    expect(await soon(app.getSessionPolicy())).toEqual({
      lifetimeMillis: 1,
      idleLifetimeMillis: null,
      freshSignInWithinMillis: 2,
      rotatesRefreshTokens: true,
    });
    expect(await soon(app.getSignUpRestrictions())).toEqual({ allowed: ['shop.example'], blocked: [] });
    expect(await soon(app.getInvitationSettings())).toEqual({ boundToAddress: true });
    expect(await soon(app.getLimits())).toEqual({
      failedSignInsPerAccount: 3,
      failedSignInsPerAddress: null,
      emailsPerRecipient: 4,
      emailsPerAddress: null,
      emailsPerProject: 5,
      signUpsPerAddress: null,
    });
    expect(await soon(app.getAuditLogSettings())).toEqual({ retentionDays: 30 });
    expect(await soon(app.getBranding())).toEqual({ logoUrl: null, color: '#4338ca', postalAddress: 'Berlin' });
    expect(new Set(levels(server))).toEqual(new Set(['admin']));
  });

  test('an update sends only what it names', async () => {
    const { app, server } = open({ '*': () => json({}) });
    await soon(app.updateAnonymousUserSettings({ enabled: false }));
    await soon(app.updatePasswordPolicy({ refusesWeakPasswords: null }));
    await soon(app.updatePasskeyPolicy({ countsAsBothFactors: true }));
    await soon(app.updateEmailVerificationSettings({ asksForCode: false }));
    await soon(app.updateAccountDeletionSettings({ coolingOffDays: 0 }));
    await soon(app.updateSignInNoticeSettings({ enabled: true }));
    await soon(app.updateSessionPolicy({ idleLifetimeMillis: null, rotatesRefreshTokens: true }));
    await soon(app.updateSignUpRestrictions({ blocked: ['rival.example'] }));
    await soon(app.updateInvitationSettings({ boundToAddress: true }));
    await soon(app.updateLimits({ emailsPerProject: 7, signUpsPerAddress: null }));
    await soon(app.updateAuditLogSettings({ retentionDays: 90 }));
    await soon(app.updateBranding({ logoUrl: null }));
    expect(sent(server)).toEqual([
      'PATCH /internal/extensions/anonymous-users {"enabled":false}',
      'PATCH /internal/extensions/password-policy {"refuses_weak_passwords":null}',
      'PATCH /internal/extensions/passkey-policy {"counts_as_both_factors":true}',
      'PATCH /internal/extensions/email-verification {"asks_for_code":false}',
      'PATCH /internal/extensions/account-deletion {"cooling_off_days":0}',
      'PATCH /internal/extensions/sign-in-notices {"enabled":true}',
      'PATCH /internal/extensions/session-policy {"idle_lifetime_millis":null,"rotates_refresh_tokens":true}',
      'PATCH /internal/extensions/sign-up-restrictions {"blocked":["rival.example"]}',
      'PATCH /internal/extensions/invitations {"bound_to_address":true}',
      'PATCH /internal/extensions/limits {"mails_per_project":7,"sign_ups_per_address":null}',
      'PATCH /internal/extensions/audit-log-settings {"retention_days":90}',
      'PATCH /internal/extensions/branding {"logo_url":null}',
    ]);
  });

  test('an empty update of a single setting sends nothing', async () => {
    const { app, server } = open();
    await soon(app.updatePasswordPolicy({}));
    expect(sent(server)).toEqual([]);
  });

  test('listeners receive the policy after an update', async () => {
    let enabled = false;
    const { app } = open({
      [`GET ${extension}/anonymous-users`]: () => json({ enabled }),
      [`PATCH ${extension}/anonymous-users`]: () => {
        enabled = true;
        return json({ enabled });
      },
    });
    const reader = app[internals].reads.getAnonymousUserSettings.reader();
    reader.subscribe(() => {});
    expect(await soon(reader.refresh())).toMatchObject({ data: { enabled: false } });
    await soon(app.updateAnonymousUserSettings({ enabled: true }));
    expect(reader.peek()).toMatchObject({ data: { enabled: true } });
  });
});

describe('the audit log', () => {
  const event = {
    id: 'e1',
    at_millis: 5,
    action: 'sign_in.failed',
    actor: { type: 'client', id: null },
    user_id: 'u1',
    subject: { type: 'session', id: 's1' },
    address: '192.0.2.1',
    user_agent: 'curl',
    details: { method: 'password' },
    before: null,
    after: null,
  };

  test('a page is read with its filter and cursor', async () => {
    const { app, server } = open({
      [`GET ${extension}/audit-log`]: () =>
        json({
          items: [event],
          users: [{ id: 'u1', display_name: null, primary_email: 'ada@example.com' }],
          is_paginated: true,
          pagination: { next_cursor: '4.x' },
        }),
    });
    const page = await soon(
      app.listAuditEvents({ action: 'sign_in.failed', userId: 'u1', from: new Date(1), to: new Date(9), limit: 2 }),
    );
    expect([...page]).toEqual([
      {
        id: 'e1',
        at: new Date(5),
        action: 'sign_in.failed',
        actor: { type: 'client', id: null, user: null },
        userId: 'u1',
        user: { displayName: null, primaryEmail: 'ada@example.com' },
        subject: { type: 'session', id: 's1' },
        address: '192.0.2.1',
        userAgent: 'curl',
        details: { method: 'password' },
        before: null,
        after: null,
      },
    ]);
    expect(page.nextCursor).toBe('4.x');
    expect(sent(server)).toEqual([
      'GET /internal/extensions/audit-log?action=sign_in.failed&user_id=u1&from_millis=1&to_millis=9&limit=2',
    ]);
  });

  test('the export is read line by line, also where a chunk ends within a line', async () => {
    const lines = `${JSON.stringify(event)}\n${JSON.stringify({ ...event, id: 'e2', user_agent: 'ü' })}\n`;
    const bytes = new TextEncoder().encode(lines);
    const body = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
          controller.close();
        },
      });
    const { app } = open({ [`GET ${extension}/audit-log/export`]: () => new Response(body()) });
    const events: AuditEvent[] = [];
    for await (const one of app.exportAuditLog({ actorId: 'a1' })) events.push(one);
    expect(events.map(({ id, userAgent }) => [id, userAgent])).toEqual([
      ['e1', 'curl'],
      ['e2', 'ü'],
    ]);
  });

  test('an export whose connection breaks between two lines ends with a RequestError', async () => {
    let chunks = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (chunks++ === 0) controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n{"id`));
        else controller.error(new TypeError('terminated'));
      },
    });
    const { app } = open({ [`GET ${extension}/audit-log/export`]: () => new Response(body) });
    const events: AuditEvent[] = [];
    const read = async () => {
      for await (const one of app.exportAuditLog()) events.push(one);
    };
    await expect(read()).rejects.toMatchObject({ name: 'RequestError', reason: 'unreachable' });
    expect(events).toHaveLength(1);
  });

  test('leaving the loop over an export cancels the response body', async () => {
    const cancelled = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n{"id`)),
      cancel: cancelled,
    });
    const { app } = open({ [`GET ${extension}/audit-log/export`]: () => new Response(body) });
    for await (const _ of app.exportAuditLog()) break;
    expect(cancelled).toHaveBeenCalledOnce();
  });
});

test('the last use of an API key is a date, or null', async () => {
  const { app } = open({
    [`GET ${extension}/api-key-usage/k1`]: () => json({ id: 'k1', last_used_at_millis: 60_000 }),
    [`GET ${extension}/api-key-usage/k2`]: () => json({ id: 'k2', last_used_at_millis: null }),
  });
  expect(await soon(app.getApiKeyUsage('k1'))).toEqual({ lastUsedAt: new Date(60_000) });
  expect(await soon(app.getApiKeyUsage('k2'))).toEqual({ lastUsedAt: null });
});

test('a rotation of the signing keys returns the published keys', async () => {
  const { app } = open({
    [`POST ${extension}/signing-keys/rotate`]: () => json({ current_kid: 'b', published_kids: ['b', 'c', 'a'] }),
  });
  expect(await soon(app.rotateSigningKeys())).toEqual({ currentKeyId: 'b', publishedKeyIds: ['b', 'c', 'a'] });
});

describe('a test of an OAuth provider', () => {
  const path = `${extension}/oauth-provider-tests`;

  test('is begun for a provider, and answers a URL', async () => {
    const { app, server } = open({ [`POST ${path}`]: () => json({ url: 'https://api.example/start?state=s' }) });
    expect(await soon(app.testOAuthProvider('github'))).toEqual({ url: 'https://api.example/start?state=s' });
    expect(sent(server)).toEqual(['POST /internal/extensions/oauth-provider-tests {"provider_id":"github"}']);
  });

  test.each([
    [{ id: '1', email: 'ada@example.com', is_email_verified: true }, null],
    [null, { reason: 'client', message: 'the provider responded: invalid_client' }],
  ])('is read with the account or the failure', async (account, failure) => {
    const wire = { provider_id: 'github', account, failure, tested_at_millis: 60_000 };
    const { app } = open({ [`GET ${path}/t1`]: () => json(wire) });
    expect(await soon(app.getOAuthProviderTest('t1'))).toEqual({
      providerId: 'github',
      account: account && { id: '1', email: 'ada@example.com', isEmailVerified: true },
      failure,
      testedAt: new Date(60_000),
    });
  });
});

describe('webhooks', () => {
  const settings = { server_url: 'https://hooks.example/', event_types: ['user.created'] };
  const endpoint = {
    id: 'ep_1',
    uid: null,
    url: 'https://shop.example/hooks',
    description: '',
    disabled: false,
    filterTypes: ['user.created'],
    metadata: {},
    version: 1,
    channels: null,
    rateLimit: null,
    throttleRate: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
  };
  const message = {
    id: 'msg_1',
    eventId: null,
    eventType: 'user.created',
    payload: { type: 'user.created', data: {} },
    timestamp: '2026-01-01T00:00:00.000Z',
    channels: null,
  };
  const attempt = {
    id: 'atmpt_1',
    endpointId: 'ep_1',
    msgId: 'msg_1',
    url: endpoint.url,
    status: 2,
    statusText: 'fail',
    response: 'no',
    responseStatusCode: 500,
    responseDurationMs: 12,
    triggerType: 1,
    timestamp: '2026-01-01T00:00:00.000Z',
  };
  const page = (...data: object[]) => json({ data, done: false, iterator: 'next', prevIterator: null });
  const root = '/api/v1/app/p1';

  function openWebhooks(routes: Parameters<typeof createStubServer>[0] = {}) {
    let tokens = 0;
    return open({
      'POST /api/v1/webhooks/svix-token': () => json({ token: `t${++tokens}` }),
      [`GET ${extension}/webhooks`]: () => json(settings),
      ...routes,
    });
  }

  test('endpoints are created, listed, changed and deleted; the keys of the project are not sent', async () => {
    const { app, server } = openWebhooks({
      [`POST ${root}/endpoint`]: () => json(endpoint, { status: 201 }),
      [`GET ${root}/endpoint`]: () => page(endpoint),
      [`PATCH ${root}/endpoint/ep_1`]: () => json({ ...endpoint, disabled: true, filterTypes: null }),
      [`DELETE ${root}/endpoint/ep_1`]: () => new Response(null, { status: 204 }),
    });
    const created = await soon(
      app.createWebhookEndpoint({ url: endpoint.url, eventTypes: ['user.created'], secret: 'whsec_x' }),
    );
    expect(created).toEqual({
      id: 'ep_1',
      uid: null,
      url: endpoint.url,
      description: '',
      disabled: false,
      eventTypes: ['user.created'],
      metadata: {},
      createdAt: new Date('2026-01-01'),
      updatedAt: new Date('2026-01-02'),
    });
    const listed = await soon(app.listWebhookEndpoints({ limit: 1 }));
    expect([listed.length, listed.nextCursor]).toEqual([1, 'next']);
    expect(await soon(app.updateWebhookEndpoint('ep_1', { disabled: true, eventTypes: null }))).toMatchObject({
      disabled: true,
      eventTypes: null,
    });
    await soon(app.deleteWebhookEndpoint('ep_1'));
    expect(sent(server)).toEqual([
      'POST /webhooks/svix-token {}',
      'GET /internal/extensions/webhooks',
      `POST /app/p1/endpoint {"url":"${endpoint.url}","filterTypes":["user.created"],"secret":"whsec_x"}`,
      'GET /app/p1/endpoint?limit=1',
      'PATCH /app/p1/endpoint/ep_1 {"disabled":true,"filterTypes":null}',
      'DELETE /app/p1/endpoint/ep_1',
    ]);
    for (const { path, headers } of server.seen.filter(({ path }) => path.startsWith(root))) {
      expect(path + headers.get('authorization')).toBe(`${path}Bearer t1`);
      expect(headers.get('x-stack-super-secret-admin-key')).toBeNull();
    }
  });

  test('the history is read with its filters, and a message is sent again or as an example', async () => {
    const { app, server } = openWebhooks({
      [`GET ${root}/msg`]: () => page(message),
      [`GET ${root}/endpoint/ep_1/msg`]: () =>
        page({ ...message, status: 1, statusText: 'pending', nextAttempt: '2026-01-03T00:00:00.000Z' }),
      [`GET ${root}/attempt/endpoint/ep_1`]: () => page(attempt),
      [`GET ${root}/attempt/msg/msg_1`]: () => page(attempt),
      [`POST ${root}/msg/msg_1/endpoint/ep_1/resend`]: () => json({}, { status: 202 }),
      [`POST ${root}/endpoint/ep_1/send-example`]: () => json(message),
    });
    expect((await soon(app.listWebhookMessages({ eventTypes: ['user.created'] })))[0]).toEqual({
      id: 'msg_1',
      eventType: 'user.created',
      payload: message.payload,
      timestamp: new Date('2026-01-01'),
    });
    expect((await soon(app.listWebhookEndpointMessages('ep_1', { status: 'fail' })))[0]).toMatchObject({
      status: 'pending',
      nextAttemptAt: new Date('2026-01-03'),
    });
    expect((await soon(app.listWebhookAttempts('ep_1', { before: new Date(0) })))[0]).toEqual({
      id: 'atmpt_1',
      endpointId: 'ep_1',
      messageId: 'msg_1',
      url: endpoint.url,
      status: 'fail',
      response: 'no',
      responseStatusCode: 500,
      responseDurationMs: 12,
      isManual: true,
      timestamp: new Date('2026-01-01'),
    });
    expect(await soon(app.getWebhookMessageAttempts('msg_1'))).toHaveLength(1);
    await soon(app.resendWebhook('msg_1', 'ep_1'));
    expect(await soon(app.sendWebhookExample('ep_1', 'user.created'))).toMatchObject({ id: 'msg_1' });
    expect(sent(server).slice(2)).toEqual([
      'GET /app/p1/msg?event_types=user.created',
      'GET /app/p1/endpoint/ep_1/msg?status=2',
      'GET /app/p1/attempt/endpoint/ep_1?before=1970-01-01T00%3A00%3A00.000Z',
      'GET /app/p1/attempt/msg/msg_1',
      'POST /app/p1/msg/msg_1/endpoint/ep_1/resend',
      'POST /app/p1/endpoint/ep_1/send-example {"eventType":"user.created"}',
    ]);
  });

  test('the secret of an endpoint is read and rotated', async () => {
    const { app, server } = openWebhooks({
      [`GET ${root}/endpoint/ep_1/secret`]: () => json({ key: 'whsec_a' }),
      [`POST ${root}/endpoint/ep_1/secret/rotate`]: () => new Response(null, { status: 204 }),
    });
    expect(await soon(app.getWebhookSecret('ep_1'))).toBe('whsec_a');
    await soon(app.rotateWebhookSecret('ep_1', { overlapSeconds: 60 }));
    expect(sent(server).at(-1)).toBe('POST /app/p1/endpoint/ep_1/secret/rotate {"gracePeriodSeconds":60}');
  });

  test('a secret that needs a recent sign-in is refused with the known error', async () => {
    const detail = 'Sign in again to make this change: it needs a sign-in that is more recent.';
    const { app } = openWebhooks({
      [`GET ${root}/endpoint/ep_1/secret`]: () => json({ code: 'reauthentication_required', detail }, { status: 403 }),
    });
    await expect(soon(app.getWebhookSecret('ep_1'))).rejects.toMatchObject({
      errorCode: 'REAUTHENTICATION_REQUIRED',
      message: detail,
    });
  });

  test('an expired token is replaced once, and a second refusal is thrown', async () => {
    const refused = () => json({ code: 'authentication_failed', detail: 'Invalid token' }, { status: 401 });
    let accepted = 't1';
    const { app } = openWebhooks({
      [`GET ${root}/endpoint`]: ({ headers }) =>
        headers.get('authorization') === `Bearer ${accepted}` ? page(endpoint) : refused(),
    });
    await soon(app.listWebhookEndpoints());
    accepted = 't2';
    expect(await soon(app.listWebhookEndpoints())).toHaveLength(1);
    accepted = 'none';
    await expect(soon(app.listWebhookEndpoints())).rejects.toMatchObject({ status: 401, sentence: 'Invalid token' });
  });

  test('a refused URL is an error with the sentences of the server', async () => {
    const detail = [{ loc: ['body', 'url'], msg: 'must be an https URL', type: 'value_error' }];
    const { app } = openWebhooks({
      [`POST ${root}/endpoint`]: () => json({ code: 'validation', detail }, { status: 422 }),
    });
    await expect(soon(app.createWebhookEndpoint({ url: 'ftp://x' }))).rejects.toMatchObject({
      name: 'RequestError',
      status: 422,
      sentence: 'must be an https URL',
    });
  });

  test('a failed token request is repeated at the next call', async () => {
    const { app, server } = openWebhooks({ [`GET ${root}/endpoint`]: () => page(endpoint) });
    const issue = server.routes['POST /api/v1/webhooks/svix-token'];
    server.routes['POST /api/v1/webhooks/svix-token'] = () => new Response('no', { status: 403 });
    await expect(soon(app.listWebhookEndpoints())).rejects.toMatchObject({ status: 403 });
    if (issue) server.routes['POST /api/v1/webhooks/svix-token'] = issue;
    expect(await soon(app.listWebhookEndpoints())).toHaveLength(1);
  });

  test('a webhook request whose connection breaks inside the body is a RequestError', async () => {
    const { app } = openWebhooks({ [`GET ${root}/endpoint`]: () => brokenBody() });
    await expect(soon(app.listWebhookEndpoints())).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test('the event types are listed', async () => {
    const { app } = openWebhooks();
    expect(await soon(app.listWebhookEventTypes())).toEqual(['user.created']);
  });
});

describe('email previews and messages to users', () => {
  const preview = { subject: 'Hi', html: '<p>Hi</p>', text: 'Hi\n', variables: [{ name: 'otp', sample: 'A1B2C3' }] };
  const draft = { subject: 'News', content: { root: {} }, notificationCategoryName: 'Marketing' };
  const filter = { type: 'filter', is_verified: true, signed_up_from_millis: 5 };
  const message = {
    id: 'm1',
    subject: 'News',
    content: { root: {} },
    audience: filter,
    notification_category_name: 'Marketing',
    created_at_millis: 7,
    created_by: { type: 'owner', id: 'o1' },
    state: 'sending',
    recipients: 3,
    queued: 2,
    waiting: 1,
    accepted: 1,
    failed: 0,
  };
  const sentMessage = {
    ...draft,
    id: 'm1',
    audience: { type: 'filter', isVerified: true, signedUpFrom: new Date(5) },
    createdAt: new Date(7),
    createdBy: { type: 'owner', id: 'o1' },
    state: 'sending',
    recipients: 3,
    queued: 2,
    waiting: 1,
    accepted: 1,
    failed: 0,
  };
  const logged = { id: 'e1', subject: 'News', to: ['a@x.example'], sent_at_millis: 8, error: null };
  const entry = { ...logged, user_id: 'u1', message_id: 'm1' };
  const loggedEmail = {
    id: 'e1',
    subject: 'News',
    to: ['a@x.example'],
    recipient: 'a@x.example',
    sentAt: new Date(8),
    userId: 'u1',
    messageId: 'm1',
  };

  test('a template and a message are rendered, and a test email reports its failure', async () => {
    const { app, server } = open({
      [`POST ${extension}/email-templates/magic_link/preview`]: () => json(preview),
      [`POST ${extension}/email-templates/magic_link/test`]: () => json({ success: false, error_message: 'No' }),
      [`POST ${extension}/messages/preview`]: () => json(preview),
    });
    expect(await soon(app.previewEmailTemplate('magic_link', draft))).toEqual(preview);
    expect(await soon(app.previewMessage(draft))).toEqual(preview);
    expect(await soon(app.sendTemplateTestEmail('magic_link', { recipientEmail: 'a@x.example' }))).toMatchObject({
      status: 'error',
      error: { errorMessage: 'No' },
    });
    expect(sent(server)).toEqual([
      'POST /internal/extensions/email-templates/magic_link/preview {"subject":"News","content":{"root":{}}}',
      'POST /internal/extensions/messages/preview {"subject":"News","content":{"root":{}},"notification_category_name":"Marketing"}',
      'POST /internal/extensions/email-templates/magic_link/test {"recipient_email":"a@x.example"}',
    ]);
  });

  test('a message is counted, sent to its audience, read and canceled', async () => {
    const { app, server } = open({
      [`POST ${extension}/messages/audience`]: () =>
        json({ matching: 5, reachable: 3, without_address: 1, unsubscribed: 1 }),
      [`POST ${extension}/messages`]: () => json(message),
      [`GET ${extension}/messages`]: () => json({ items: [message], is_paginated: false }),
      [`GET ${extension}/messages/m1`]: () => json(message),
      [`POST ${extension}/messages/m1/cancel`]: () => json({ ...message, state: 'canceled' }),
    });
    const audience = { type: 'filter', isVerified: true, signedUpFrom: new Date(5) } as const;
    expect(await soon(app.countMessageAudience(audience, draft))).toEqual({
      matching: 5,
      reachable: 3,
      withoutAddress: 1,
      unsubscribed: 1,
    });
    expect(await soon(app.sendMessage({ ...draft, audience, expectedRecipients: 3 }))).toEqual(sentMessage);
    expect(await soon(app.listMessages())).toEqual([sentMessage]);
    expect(await soon(app.getMessage('m1'))).toEqual(sentMessage);
    expect(await soon(app.cancelMessage('m1'))).toEqual({ ...sentMessage, state: 'canceled' });
    await soon(app.countMessageAudience({ type: 'all' }, draft));
    await soon(app.countMessageAudience({ type: 'team', teamId: 't1' }, draft));
    await soon(app.countMessageAudience({ type: 'users', userIds: ['u1'] }, draft));
    const counts = sent(server).filter(line => line.includes('/audience '));
    expect(counts.map(line => JSON.parse(line.slice(line.indexOf('{'))).audience)).toEqual([
      filter,
      { type: 'all' },
      { type: 'team', team_id: 't1' },
      { type: 'users', user_ids: ['u1'] },
    ]);
  });

  test('the log is read by user and state in pages, and one attempt by id', async () => {
    const { app, server } = open({
      [`GET ${extension}/sent-emails`]: () =>
        json({ items: [entry], is_paginated: true, pagination: { next_cursor: '8.1' } }),
      [`GET ${extension}/sent-emails/e1`]: () => json(entry),
    });
    const page = await soon(app.listEmailLog({ userId: 'u1', recipient: 'ada@', state: 'accepted', limit: 1 }));
    expect([...page]).toEqual([loggedEmail]);
    expect(page.nextCursor).toBe('8.1');
    expect(server.seen.at(-1)?.path).toContain('?user_id=u1&recipient=ada%40&state=accepted&limit=1');
    expect(await soon(app.getLoggedEmail('e1'))).toEqual(loggedEmail);
  });
});
