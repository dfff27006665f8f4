import { codeMaxAttempts, mfaMaxAttempts } from '@tessera/protocol';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requestSource } from '../../http/access/source.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { type CodeData, type CodeKind, codeKinds } from './kinds.ts';
import { checkCode, createCode, redeemCode } from './verification-codes.ts';

let server: TestServer;
let projectId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  projectId = (await server.make.project()).id;
});

const kinds = Object.keys(codeKinds) as CodeKind[];
const dataOf: { [K in CodeKind]: CodeData<K> } = {
  email_verification: {},
  password_reset: {},
  sign_in: {},
  reauthentication: {},
  mfa_attempt: { isNewUser: true },
  passkey_registration: { challenge: 'a challenge' },
  passkey_authentication: { challenge: 'a challenge' },
  team_invitation: { teamId: 'a team' },
  project_invitation: { projectId: 'p', role: 'viewer' },
  first_owner: {},
  unsubscribe: { categoryId: 'a category' },
};
const minute = 60_000;
/**
 * The limits of controls 14 and 17 (docs/contract/decisions.md#controls-and-the-contract), and those of
 * docs/contract/sign-in-methods.md#code-kinds.
 */
const documented: Record<CodeKind, { lifetimeMs: number; maxAttempts: number }> = {
  email_verification: { lifetimeMs: 24 * 60 * minute, maxAttempts: 20 },
  password_reset: { lifetimeMs: 60 * minute, maxAttempts: 20 },
  sign_in: { lifetimeMs: 15 * minute, maxAttempts: 20 },
  reauthentication: { lifetimeMs: 15 * minute, maxAttempts: 20 },
  mfa_attempt: { lifetimeMs: 5 * minute, maxAttempts: 5 },
  passkey_registration: { lifetimeMs: 65_000, maxAttempts: 20 },
  passkey_authentication: { lifetimeMs: 65_000, maxAttempts: 20 },
  team_invitation: { lifetimeMs: 7 * 24 * 60 * minute, maxAttempts: 20 },
  project_invitation: { lifetimeMs: 7 * 24 * 60 * minute, maxAttempts: 20 },
  first_owner: { lifetimeMs: 24 * 60 * minute, maxAttempts: 20 },
  unsubscribe: { lifetimeMs: 7 * 24 * 60 * minute, maxAttempts: 20 },
};

async function make(kind: CodeKind, address: string | null = null): Promise<string> {
  const request = { projectId, kind, userId: null, address, data: dataOf[kind] };
  return (await transaction(server.deps.db, tx => createCode(tx, request, server.deps))).code;
}

/** A caller without a socket has no address. */
const by = {
  level: 'client',
  source: requestSource(
    new Headers(),
    { peerAddress: undefined, traceId: '0123456789abcdef' },
    { trustedProxyHops: 0, isDevelopment: true },
  ),
} as const;

type Use = (code: string, kind: CodeKind, inProject?: string) => Promise<string>;

/** The result: the code of the refusal, or `good`. */
const resultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'good',
    (error: { errorCode?: string }) => error.errorCode ?? String(error),
  );
const check: Use = (code, kind, inProject = projectId) =>
  resultOf(checkCode({ projectId: inProject, kind, code, by }, server.deps));
const redeem: Use = (code, kind, inProject = projectId) =>
  resultOf(redeemCode({ projectId: inProject, kind, code, by }, server.deps));

async function times(count: number, work: () => Promise<string>): Promise<string[]> {
  const results: string[] = [];
  for (let done = 0; done < count; done++) results.push(await work());
  return results;
}

const wrongStart = (code: string) => (code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`);

describe.each(kinds)('a code of kind %s', kind => {
  const { lifetimeMs, maxAttempts } = documented[kind];

  test('returns its data and works once', async () => {
    const code = await make(kind, 'ada@example.com');
    const presented = { projectId, kind, code, by };
    const whole = { id: anId, userId: null, address: 'ada@example.com', data: dataOf[kind] };
    expect(await checkCode(presented, server.deps)).toEqual(whole);
    expect(await redeemCode(presented, server.deps)).toEqual(whole);
    expect(await redeem(code, kind)).toBe('VERIFICATION_CODE_ALREADY_USED');
    expect(await check(code, kind)).toBe('VERIFICATION_CODE_ALREADY_USED');
  });

  test('control 20: is refused by endpoints of another kind or project', async () => {
    const code = await make(kind);
    const other = await server.make.project();
    for (const use of [check, redeem]) {
      for (const wrong of kinds.filter(one => one !== kind).slice(0, 2)) {
        expect(await use(code, wrong)).toBe('VERIFICATION_CODE_NOT_FOUND');
      }
      expect(await use(code, kind, other.id)).toBe('VERIFICATION_CODE_NOT_FOUND');
    }
    if (maxAttempts > 4) expect(await redeem(code, kind)).toBe('good');
  });

  test('control 17: expires after the lifetime of its kind', async () => {
    const [code, second] = [await make(kind), await make(kind)];
    server.clock.advance(lifetimeMs - 1);
    expect(await redeem(code, kind)).toBe('good');
    server.clock.advance(1);
    expect(await redeem(second, kind)).toBe('VERIFICATION_CODE_EXPIRED');
    expect(await redeem(code, kind)).toBe('VERIFICATION_CODE_EXPIRED');
  });

  test('control 14: is refused after the maximum number of attempts, even when it is right', async () => {
    const code = await make(kind);
    const wrong = await times(maxAttempts - 1, () => redeem(wrongStart(code), kind));
    expect(new Set(wrong)).toEqual(new Set(['VERIFICATION_CODE_NOT_FOUND']));
    expect(await times(3, () => check(code, kind))).toEqual([
      'good',
      'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
      'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
    ]);
    expect(await redeem(code, kind)).toBe('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED');
  });
});

test('the lifetimes and attempts of the kinds equal the published limits', () => {
  expect(codeMaxAttempts).toBe(20);
  expect(mfaMaxAttempts).toBe(5);
  expect(Object.keys(documented).sort()).toEqual([...kinds].sort());
});

describe('control 18: checkCode', () => {
  test('does not use a code', async () => {
    const code = await make('sign_in');
    expect(await times(codeMaxAttempts - 1, () => check(code, 'sign_in'))).toEqual(
      Array(codeMaxAttempts - 1).fill('good'),
    );
    expect(await redeem(code, 'sign_in')).toBe('good');
  });

  test('counts as an attempt', async () => {
    const code = await make('sign_in');
    await times(codeMaxAttempts, () => check(code, 'sign_in'));
    expect(await redeem(code, 'sign_in')).toBe('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED');
  });
});

test('a code in upper case is accepted', async () => {
  const code = await make('sign_in');
  expect(await check(code.toUpperCase(), 'sign_in')).toBe('good');
  expect(await redeem(`${code.slice(0, 6).toUpperCase()}${code.slice(6)}`, 'sign_in')).toBe('good');
});

describe('attempts', () => {
  test('count for the code with the same nonce, whatever kind they name', async () => {
    const code = await make('sign_in');
    await times(codeMaxAttempts, () => redeem(wrongStart(code), 'email_verification'));
    expect(await redeem(code, 'sign_in')).toBe('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED');
  });

  test('count for every code with the same nonce', async () => {
    const one = await make('sign_in');
    const other = wrongStart(one);
    await make('sign_in');
    await server.deps.db.query(sql`
      update one_time_codes set code_hash = ${sha256(other)}, nonce_hash = ${sha256(one.slice(6))}
      where project_id = ${projectId} and code_hash <> ${sha256(one)}
    `);
    await times(codeMaxAttempts / 2, () => check(one, 'sign_in'));
    await times(codeMaxAttempts / 2 - 1, () => check(other, 'sign_in'));
    expect(await check(other, 'sign_in')).toBe('good');
    expect([await redeem(one, 'sign_in'), await redeem(other, 'sign_in')]).toEqual(
      Array(2).fill('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'),
    );
  });

  test('in another project do not count in this one', async () => {
    const code = await make('sign_in');
    const other = await server.make.project();
    await times(codeMaxAttempts + 1, () => redeem(code, 'sign_in', other.id));
    expect(await redeem(code, 'sign_in')).toBe('good');
  });

  test('control 22: still count after a new code is created', async () => {
    const code = await make('sign_in', 'ada@example.com');
    await times(codeMaxAttempts, () => redeem(wrongStart(code), 'sign_in'));
    const next = await make('sign_in', 'ada@example.com');
    expect(await redeem(code, 'sign_in')).toBe('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED');
    expect(await redeem(next, 'sign_in')).toBe('good');
  });

  test('do not change the error of an expired or used code', async () => {
    const [spent, late] = [await make('sign_in'), await make('sign_in')];
    await redeem(spent, 'sign_in');
    expect(new Set(await times(codeMaxAttempts + 1, () => redeem(spent, 'sign_in')))).toEqual(
      new Set(['VERIFICATION_CODE_ALREADY_USED']),
    );
    await times(codeMaxAttempts + 1, () => redeem(wrongStart(late), 'sign_in'));
    server.clock.advance(documented.sign_in.lifetimeMs);
    expect(await redeem(late, 'sign_in')).toBe('VERIFICATION_CODE_EXPIRED');
  });

  test('count even when the caller refuses before the code is spent', async () => {
    const code = await make('mfa_attempt');
    const presented = { projectId, kind: 'mfa_attempt', code, by } as const;
    const refusing = () =>
      resultOf(
        redeemCode(presented, server.deps, () => {
          throw new Error('refused');
        }),
      );
    expect(await times(mfaMaxAttempts, refusing)).toEqual(Array(mfaMaxAttempts).fill('Error: refused'));
    expect(await redeem(code, 'mfa_attempt')).toBe('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED');
  });
});

test('control 16: of 100 concurrent redemptions of one code, one succeeds', async () => {
  const code = await make('sign_in');
  const results = await Promise.all(Array.from({ length: 100 }, () => redeem(code, 'sign_in')));
  expect(results.filter(result => result === 'good')).toHaveLength(1);
  expect(new Set(results)).toEqual(
    new Set([
      'good',
      ...results.filter(result => /^VERIFICATION_CODE_(ALREADY_USED|MAX_ATTEMPTS_REACHED)$/.test(result)),
    ]),
  );
});

test('control 15: the database holds only hashes of codes', async () => {
  const code = await make('sign_in', 'ada@example.com');
  const [row] = await server.deps.db.query<{ text: string }>(
    sql`select to_json(c)::text as text from one_time_codes c where project_id = ${projectId}`,
  );
  for (const part of [code, code.slice(6), code.slice(0, 6)]) {
    expect(row?.text).not.toContain(part);
    expect(row?.text).not.toContain(Buffer.from(part).toString('hex'));
  }
});
