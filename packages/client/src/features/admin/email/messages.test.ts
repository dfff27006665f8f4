import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAdmin } from '../../../test/apps.ts';
import { sent } from '../../../test/signed-in.ts';
import { soon } from '../../../test/soon.ts';
import { json } from '../../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const extension = '/api/v1/internal/extensions';

const preview = { subject: 'Hi', html: '<p>Hi</p>', text: 'Hi\n', variables: [{ name: 'otp', sample: 'A1B2C3' }] };
const draft = { subject: 'News', content: { root: {} }, notificationCategoryName: 'Marketing' };
const filter = { type: 'filter', is_verified: true, signed_up_from_millis: 5 };
const progress = { state: 'sending', recipients: 3, queued: 2, waiting: 1, accepted: 1, failed: 0 };
const message = {
  id: 'm1',
  subject: 'News',
  content: { root: {} },
  audience: filter,
  notification_category_name: 'Marketing',
  created_at_millis: 7,
  created_by: { type: 'owner', id: 'o1' },
  ...progress,
};
const sentMessage = {
  ...draft,
  id: 'm1',
  audience: { type: 'filter', isVerified: true, signedUpFrom: new Date(5) },
  createdAt: new Date(7),
  createdBy: { type: 'owner', id: 'o1' },
  ...progress,
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
  const { app, server } = openAdmin({
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
  const { app, server } = openAdmin({
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
  const { app, server } = openAdmin({
    [`GET ${extension}/sent-emails`]: () =>
      json({ items: [entry], is_paginated: true, pagination: { next_cursor: '8.1' } }),
    [`GET ${extension}/sent-emails/e1`]: () =>
      json({ ...entry, template: 'broadcast', resending: 'possible', next_attempt_at_millis: null }),
    [`POST ${extension}/sent-emails/e1/send-again`]: () =>
      json({ ...entry, template: 'broadcast', resending: 'waiting', next_attempt_at_millis: 9 }),
  });
  const page = await soon(app.listEmailLog({ userId: 'u1', recipient: 'ada@', state: 'accepted', limit: 1 }));
  expect([...page]).toEqual([loggedEmail]);
  expect(page.nextCursor).toBe('8.1');
  expect(server.seen.at(-1)?.path).toContain('?user_id=u1&recipient=ada%40&state=accepted&limit=1');
  const logEntry = { ...loggedEmail, template: 'broadcast', resending: 'possible', nextAttemptAt: null };
  expect(await soon(app.getLoggedEmail('e1'))).toEqual(logEntry);
  expect(await soon(app.sendEmailAgain('e1'))).toEqual({
    ...logEntry,
    resending: 'waiting',
    nextAttemptAt: new Date(9),
  });
});

test('the waiting emails are read in pages', async () => {
  const email = { id: 'm1', template: 'magic_link', recipient: 'a@x.example', attempts: 1 };
  const wire = { ...email, user_id: 'u1', message_id: null, created_at_millis: 7, next_attempt_at_millis: 9 };
  const { app, server } = openAdmin({
    [`GET ${extension}/waiting-emails`]: () =>
      json({
        items: [wire, { ...wire, next_attempt_at_millis: null }],
        is_paginated: true,
        pagination: { next_cursor: null },
      }),
  });
  const found = { ...email, userId: 'u1', messageId: null, createdAt: new Date(7), nextAttemptAt: new Date(9) };
  expect([...(await soon(app.listWaitingEmails({ limit: 2 })))]).toEqual([found, { ...found, nextAttemptAt: null }]);
  expect(server.seen.at(-1)?.path).toContain('?limit=2');
});
