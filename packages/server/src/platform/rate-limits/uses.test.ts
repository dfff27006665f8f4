import { describe, expect, test } from 'vitest';
import {
  channelAdditionUses,
  codeAttemptUses,
  failedSignInUses,
  type LimitedCall,
  mailQuotaUses,
  mailUses,
  signUpUses,
  unknownBlockUses,
} from './uses.ts';

const project = { id: 'p', config: { limits: {} } };
const client: LimitedCall = { project, level: 'client', source: { block: '203.0.113.7', isOwnMachine: false } };
const callers: Record<string, LimitedCall> = {
  'a client': client,
  'a server': { ...client, level: 'server' },
  'an admin': { ...client, level: 'admin' },
  'a request without a socket': { ...client, source: { block: undefined, isOwnMachine: false } },
  "a developer's own tests": { ...client, source: { block: '127.0.0.1', isOwnMachine: true } },
};

/** The keys of the counters, with the maximum of each. */
const counted = (uses: readonly { key: string; points: number }[]) => uses.map(({ key, points }) => `${key} ${points}`);

const account = (from: string) => `failedSignInsPerAccount:p:ada@example.com:${from} 10`;
const everywhere = ['failedSignInsFromUnknownBlocks:p:ada@example.com 100'];
const recipient = 'mailsPerRecipient:p:ada@example.com 5';

describe('control 70: the counters of an attempt', () => {
  test.each([
    [
      'a client',
      {
        signIn: [account('203.0.113.7'), 'failedSignInsPerAddress:p:203.0.113.7 100'],
        signUp: ['signUpsPerAddress:p:203.0.113.7 20'],
        mail: [recipient, 'mailsPerAddress:p:203.0.113.7 100'],
        code: ['codeAttemptsPerAccount:p:sign_in:ada@example.com 60', 'codeAttemptsPerAddress:p:203.0.113.7 600'],
      },
    ],
    ['a server', { signIn: [account('server')], unknown: [], signUp: [], mail: [recipient] }],
    ['an admin', { signIn: [account('server')], unknown: [], signUp: [], mail: [recipient] }],
    ['a request without a socket', { signIn: [account('unknown')], signUp: [], mail: [recipient] }],
    ["a developer's own tests", { signIn: [account('127.0.0.1')], signUp: [], mail: [recipient] }],
  ])('%s', (who, expected) => {
    const call = callers[who] ?? client;
    expect({
      code: ['codeAttemptsPerAccount:p:sign_in:ada@example.com 60'],
      unknown: everywhere,
      ...expected,
    }).toEqual({
      signIn: counted(failedSignInUses(call, 'ada@example.com')),
      unknown: counted(unknownBlockUses(call, 'ada@example.com')),
      signUp: counted(signUpUses(call)),
      mail: counted(mailUses(call, 'ada@example.com', 'access')),
      code: counted(codeAttemptUses('p', call, { kind: 'sign_in', id: 'ada@example.com' })),
    });
  });

  test('control 72: a project whose mail limits are capped can lower them and not raise them', () => {
    const limits = { mailsPerRecipient: 1_000_000, mailsPerAddress: 7, mailsPerProject: 1_000_000 };
    const capped = { id: 'p', capsMailLimits: true, config: { limits } };
    const call = { ...client, project: capped };
    expect(counted(mailUses(call, 'ada@example.com', 'access'))).toEqual([
      recipient,
      'sharedMailsPerRecipient:internal:ada@example.com 20',
      'mailsPerAddress:p:203.0.113.7 7',
    ]);
    expect(counted(mailQuotaUses(capped, true))).toEqual(['mailsPerProject:p:all 1000']);
    const trusted = { ...capped, capsMailLimits: false };
    expect(counted(mailQuotaUses(trusted, true))).toEqual(['mailsPerProject:p:all 1000000']);
  });

  test.each(['invitation', 'verification'] as const)('a mail for %s does not count as one for access', purpose => {
    expect(counted(mailUses(client, 'ada@example.com', purpose))).toEqual([
      `mailsPerRecipient:p:ada@example.com:${purpose} 5`,
      'mailsPerAddress:p:203.0.113.7 100',
    ]);
  });

  test('control 72: half of the mail quota of a project is reserved for addresses of verified accounts', () => {
    const all = 'mailsPerProject:p:all 1000';
    expect(counted(mailQuotaUses(project, true))).toEqual([all]);
    expect(counted(mailQuotaUses(project, false))).toEqual(['mailsPerProject:p:all:unverified 500', all]);
    const own = { ...project, config: { limits: { mailsPerProject: 7 } } };
    expect(mailQuotaUses(own, false).map(({ points }) => points)).toEqual([3, 7]);
  });

  test('contact channels that a client adds count for the user and the address block; those of servers do not', () => {
    expect(counted(channelAdditionUses(client, 'ada'))).toEqual([
      'channelAdditionsPerUser:p:ada 20',
      'channelAdditionsPerAddress:p:203.0.113.7 60',
    ]);
    expect(channelAdditionUses({ ...client, level: 'server' }, 'ada')).toEqual([]);
  });

  test('an unknown code counts for no account', () => {
    expect(counted(codeAttemptUses('p', client))).toEqual(['codeAttemptsPerAddress:p:203.0.113.7 600']);
  });

  test("a project's own limits replace those of the installation", () => {
    const own = { ...client, project: { id: 'p', config: { limits: { mailsPerRecipient: 2 } } } };
    expect(counted(mailUses(own, 'ada@example.com', 'access'))[0]).toBe('mailsPerRecipient:p:ada@example.com 2');
  });
});
