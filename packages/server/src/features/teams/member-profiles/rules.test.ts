import { describe, expect, test } from 'vitest';
import type { Asker } from '../rules.ts';
import { assertMayUpdate, neededToList, neededToRead } from './rules.ts';

const ada = '3241a285-8329-4d69-8f3d-316e08cf140c';
const bob = '0f2f8f4e-0a0e-4d8e-9a3c-5a4f1f0f9d11';
const teamId = '7c1b2a90-5c5e-4e0f-8f0a-0d3d6f7b8a21';
const client: Asker = { level: 'client', userId: ada };
const nobody: Asker = { level: 'client', userId: null };
const server: Asker = { level: 'server', userId: null };
const admin: Asker = { level: 'admin', userId: bob };

const membership = { teamId, userId: ada, permissions: [] };
const reading = { teamId, userId: ada, permissions: ['$read_members'] };
const signedOut = expect.objectContaining({ errorCode: 'CANNOT_GET_OWN_USER_WITHOUT_USER' });
const sentence = (status: number) => expect.objectContaining({ name: 'Refusal', status });

describe('listing', () => {
  test.each<[string, { teamId?: string; userId?: string }, Asker, unknown]>([
    ['a client all members with a permission', { teamId }, client, reading],
    ['a client another member with a permission', { teamId, userId: bob }, client, reading],
    ['a client itself as a member', { teamId, userId: ada }, client, membership],
    ['a server everything', {}, server, undefined],
    ['an admin everything', { teamId, userId: ada }, admin, undefined],
  ])('%s', (_, asked, asker, expected) => {
    expect(neededToList({ teamId: asked.teamId, userId: asked.userId }, asker)).toEqual(expected);
  });

  test.each<[string, { teamId?: string; userId?: string }, Asker, unknown]>([
    ['a client must name the team', { userId: ada }, client, sentence(400)],
    ['also when it names nobody', {}, client, sentence(400)],
    ['signing in comes first', {}, nobody, signedOut],
    ['signed out', { teamId, userId: ada }, nobody, signedOut],
  ])('%s', (_, asked, asker, expected) => {
    expect(() => neededToList({ teamId: asked.teamId, userId: asked.userId }, asker)).toThrow(expected);
  });
});

describe('reading', () => {
  test.each<[string, string, Asker, unknown]>([
    ['a client itself', ada, client, membership],
    ['a client others', bob, client, reading],
    ['a server anybody', bob, server, undefined],
    ['an admin anybody', ada, admin, undefined],
  ])('%s', (_, userId, asker, expected) => {
    expect(neededToRead({ teamId, userId }, asker)).toEqual(expected);
  });

  test('signed out', () => {
    expect(() => neededToRead({ teamId, userId: ada }, nobody)).toThrow(signedOut);
  });
});

describe('changing', () => {
  test.each<[string, string, Asker]>([
    ['a client itself', ada, client],
    ['a server anybody', bob, server],
    ['an admin anybody', ada, admin],
  ])('%s', (_, userId, asker) => {
    expect(() => assertMayUpdate({ teamId, userId }, asker)).not.toThrow();
  });

  test.each<[string, string, Asker, unknown]>([
    ['a client nobody else', bob, client, sentence(403)],
    ['signed out', ada, nobody, signedOut],
  ])('%s', (_, userId, asker, expected) => {
    expect(() => assertMayUpdate({ teamId, userId }, asker)).toThrow(expected);
  });
});
