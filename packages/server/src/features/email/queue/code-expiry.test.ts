import { expect, test } from 'vitest';
import { builtInTemplates } from '../templates/templates.ts';
import { hasCode } from './code-expiry.ts';

/** Links without a code. */
const plainLinks: ReadonlySet<string> = new Set(['signInInvitationLink', 'dashboardLink', 'accountLink', 'keepLink']);

test('every built-in template with a code or a link that carries one counts as an email with a code', () => {
  const withCode = Object.entries(builtInTemplates).filter(([, { subject, content }]) => {
    const names = `${subject}${JSON.stringify(content)}`.match(/otp|\w+Link/g) ?? [];
    return names.some(name => name === 'otp' || (/[a-z]Link$/.test(name) && !plainLinks.has(name)));
  });
  expect(withCode.map(([template]) => template).sort()).toEqual(Object.keys(builtInTemplates).filter(hasCode).sort());
});
