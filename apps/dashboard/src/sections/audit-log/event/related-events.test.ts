import type { AuditEvent } from '@tessera/client';
import { describe, expect, test } from 'vitest';
import { belongsTo, filterAround, linkageOf } from './related-events.ts';

type Linked = Pick<AuditEvent, 'id' | 'action' | 'userId' | 'actor' | 'address'>;

const owner = { type: 'owner', id: 'owner-1', user: null } as const;
const key = { type: 'admin_key', id: null, user: null } as const;
const client = { type: 'client', id: null, user: null } as const;

function event(given: Partial<Linked>): Linked {
  return { id: 'one', action: 'admin.request', userId: null, actor: key, address: '203.0.113.7', ...given };
}

describe('events belong together', () => {
  test.each([
    ['user', { userId: 'user-1', actor: owner }],
    ['caller', { actor: owner }],
    ['address', { action: 'sign_in.failed', actor: client }],
    ['address', { action: 'limit.reached', actor: client }],
    [undefined, { action: 'sign_in.failed', actor: client, address: null }],
    [undefined, { actor: key }],
  ] as const)('by %s for %j', (link, given) => {
    expect(linkageOf(event(given))).toBe(link);
  });

  test('and an event of an administrator is never beside failed sign-ins from its address', () => {
    const change = event({ actor: owner });
    expect(filterAround(change)).toEqual({ actorId: 'owner-1' });
    expect(belongsTo(change, change)).toBe(false);
    const failed = event({ id: 'two', action: 'sign_in.failed', actor: client });
    expect(filterAround(failed)).toEqual({ action: 'sign_in.failed' });
    expect(belongsTo(failed, { ...failed, id: 'three' })).toBe(true);
    expect(belongsTo(failed, { ...failed, id: 'three', address: '203.0.113.8' })).toBe(false);
  });
});
