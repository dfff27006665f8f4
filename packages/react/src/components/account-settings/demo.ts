import {
  type ActiveSession,
  type CurrentUser,
  type DeviceSession,
  internals,
  type Optional,
  type Project,
  type ProjectConfig,
} from '@tessera/client';
import type { Reader } from '@tessera/client/internals';
import { useMemo } from 'react';
import type { ApiKey } from './api-keys/keys.ts';

/** For demonstrations: data that is shown without a signed-in user. It cannot be changed. */
export interface DemoProps {
  readonly mockUser?:
    | { readonly displayName?: string | undefined; readonly profileImageUrl?: string | undefined }
    | undefined;
  readonly mockApiKeys?: readonly DemoApiKey[] | undefined;
  readonly mockProject?:
    | { readonly config: Optional<Pick<ProjectConfig, 'allowUserApiKeys' | 'clientTeamCreationEnabled'>> }
    | undefined;
  readonly mockSessions?: readonly DemoSession[] | undefined;
}

/** An API key of a demonstration. */
export interface DemoApiKey {
  readonly id: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date | undefined;
  readonly manuallyRevokedAt?: Date | undefined;
}

/** A session of a demonstration. */
export type DemoSession = Omit<ActiveSession, 'userId' | 'lastUsedAt' | 'isImpersonation'> & {
  readonly lastUsedAt?: Date | undefined;
  readonly isImpersonation?: boolean | undefined;
  readonly device?: DeviceSession['device'] | undefined;
};

/** The user and the project of a demonstration; undefined outside of one. */
export function useDemo({ mockUser, mockApiKeys, mockProject, mockSessions }: DemoProps) {
  return useMemo(() => {
    if (mockUser === undefined) return undefined;
    return {
      user: demoUser({ mockUser, mockApiKeys, mockSessions }),
      project: demoProject(mockProject?.config),
    };
  }, [mockUser, mockApiKeys, mockProject, mockSessions]);
}

function demoProject(config: NonNullable<DemoProps['mockProject']>['config'] = {}): Project {
  // The fields that the sections of a demonstration read; a feature that is not named is off.
  return { id: 'demo', displayName: 'Demo', config: { oauthProviders: [], ...config } as unknown as ProjectConfig };
}

function demoUser({ mockUser, mockApiKeys = [], mockSessions = [] }: DemoProps): CurrentUser {
  const lists = {
    listApiKeys: mockApiKeys.map(demoApiKey),
    listTeams: [],
    listNotificationCategories: [],
  };
  const reads = Object.entries(lists).map(([name, list]) => {
    const reader = constantReader(list);
    return [name, { reader: () => reader }];
  });

  const user = {
    id: 'demo',
    displayName: mockUser?.displayName ?? null,
    primaryEmail: null,
    profileImageUrl: mockUser?.profileImageUrl ?? null,
    update: nothing,
    signOut: nothing,
    createApiKey: nothing,
    createTeam: nothing,
    revokeSession: nothing,
    revokeOtherSessions: nothing,
    getDeviceSessions: async () => mockSessions.map(demoSession),
    [internals]: { reads: Object.fromEntries(reads) },
  };
  // The fields of a user that the sections of a demonstration read.
  return user as unknown as CurrentUser;
}

function demoApiKey({ manuallyRevokedAt, expiresAt, ...key }: DemoApiKey): ApiKey {
  const isExpired = expiresAt !== undefined && expiresAt.getTime() < Date.now();
  return {
    ...key,
    ...(expiresAt && { expiresAt }),
    value: { lastFour: key.id.slice(-4) },
    whyInvalid: () => (manuallyRevokedAt ? 'manually-revoked' : isExpired ? 'expired' : null),
    revoke: nothing,
  };
}

const unknownDevice = { browser: null, system: null, type: 'other' } as const;

function demoSession({ lastUsedAt, geoInfo, ...session }: DemoSession): DeviceSession {
  const unset = { userId: 'demo', isImpersonation: false, device: unknownDevice, expiresAt: session.createdAt };
  const place = { address: geoInfo?.ip ?? null, countryCode: geoInfo?.countryCode ?? null, geoInfo: geoInfo ?? null };
  return { ...unset, ...session, ...place, lastUsedAt: lastUsedAt ?? null };
}

function constantReader<Value>(data: Value): Reader<Value> {
  const result = { status: 'ok', data } as const;
  return {
    peek: () => result,
    promise: async () => result,
    refresh: async () => result,
    forgetFailure: () => {},
    subscribe: () => () => {},
  };
}

async function nothing(): Promise<never> {
  throw new Error('This is a demonstration.');
}
