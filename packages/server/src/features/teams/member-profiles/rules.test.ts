import { describe, expect, test } from 'vitest';
import type { Requester } from '../rules.ts';
import { assertMayUpdate, getListRequirement, getReadRequirement } from './rules.ts';

const ada = '3241a285-8329-4d69-8f3d-316e08cf140c';
const bob = '0f2f8f4e-0a0e-4d8e-9a3c-5a4f1f0f9d11';
const teamId = '7c1b2a90-5c5e-4e0f-8f0a-0d3d6f7b8a21';
const client: Requester = { level: 'client', userId: ada };
const signedOutClient: Requester = { level: 'client', userId: null };
const server: Requester = { level: 'server', userId: null };
const admin: Requester = { level: 'admin', userId: bob };

const membership = { teamId, userId: ada, permissions: [] };
const reading = { teamId, userId: ada, permissions: ['$read_members'] };
const signedOut = expect.objectContaining({ errorCode: 'CANNOT_GET_OWN_USER_WITHOUT_USER' });
const sentence = (status: number) => expect.objectContaining({ name: 'Refusal', status });

describe('the requirement to list profiles', () => {
  test.each<[string, { teamId?: string; userId?: string }, Requester, unknown]>([
    ['is $read_members for a client that lists a team', { teamId }, client, reading],
    ['is $read_members for a client that lists another member', { teamId, userId: bob }, client, reading],
    ['is membership for a client that lists itself', { teamId, userId: ada }, client, membership],
    ['is none for a server', {}, server, undefined],
    ['is none for an admin', { teamId, userId: ada }, admin, undefined],
  ])('%s', (_, asked, requester, expected) => {
    expect(getListRequirement({ teamId: asked.teamId, userId: asked.userId }, requester)).toEqual(expected);
  });

  test.each<[string, { teamId?: string; userId?: string }, Requester, unknown]>([
    ['refuses a client that names only a user', { userId: ada }, client, sentence(400)],
    ['refuses a client without a filter', {}, client, sentence(400)],
    ['refuses a signed-out client before it checks the filter', {}, signedOutClient, signedOut],
    ['refuses a signed-out client', { teamId, userId: ada }, signedOutClient, signedOut],
  ])('%s', (_, asked, requester, expected) => {
    expect(() => getListRequirement({ teamId: asked.teamId, userId: asked.userId }, requester)).toThrow(expected);
  });
});

describe('the requirement to read a profile', () => {
  test.each<[string, string, Requester, unknown]>([
    ['is met by a client for its own profile', ada, client, membership],
    ['is $read_members for the profile of another member', bob, client, reading],
    ['is met by a server for every profile', bob, server, undefined],
    ['is met by an admin for every profile', ada, admin, undefined],
  ])('%s', (_, userId, requester, expected) => {
    expect(getReadRequirement({ teamId, userId }, requester)).toEqual(expected);
  });

  test('a signed-out client is refused', () => {
    expect(() => getReadRequirement({ teamId, userId: ada }, signedOutClient)).toThrow(signedOut);
  });
});

describe('the requirement to change a profile', () => {
  test.each<[string, string, Requester]>([
    ['is met by a client for its own profile', ada, client],
    ['is met by a server for every profile', bob, server],
    ['is met by an admin for every profile', ada, admin],
  ])('%s', (_, userId, requester) => {
    expect(() => assertMayUpdate({ teamId, userId }, requester)).not.toThrow();
  });

  test.each<[string, string, Requester, unknown]>([
    ['refuses a client for the profile of another member', bob, client, sentence(403)],
    ['refuses a signed-out client', ada, signedOutClient, signedOut],
  ])('%s', (_, userId, requester, expected) => {
    expect(() => assertMayUpdate({ teamId, userId }, requester)).toThrow(expected);
  });
});
