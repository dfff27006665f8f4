import { dataExportEndpoints, dataExportRowsMax, fail } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { dataExportUses, type RateLimits } from '../../platform/rate-limits/index.ts';
import { assertRecentSignIn } from '../accounts/users/index.ts';
import { auditedBy, recordAudit, selectSecurityEvents } from '../audit/index.ts';
import {
  type DataSubject,
  selectAccountData,
  selectAddresses,
  selectApiKeyData,
  selectPasskeyData,
  selectPreferences,
  selectProviderAccounts,
  selectSessionData,
  selectTeamData,
} from './store.ts';
import { type OwnData, ownDataView } from './wire.ts';

interface DataExportDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly rateLimits: RateLimits;
}

/** The data of the caller as JSON, without secrets (docs/contract/decisions.md#account-safety). */
export function dataExportRoutes(deps: DataExportDeps): BoundRoute[] {
  return [
    bind(dataExportEndpoints.create, async call => {
      const { project, user } = call;
      await assertRecentSignIn(call, deps);
      await deps.rateLimits.spend(dataExportUses(call));
      const atMillis = deps.clock.now();
      const data = await transaction(deps.db, async tx => {
        const found = await readOwnData(tx, { projectId: project.id, userId: user.id }, atMillis);
        const event = { action: 'user.data_exported', userId: user.id, atMillis } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
        return found;
      });
      return ownDataView(data);
    }),
  ];
}

async function readOwnData(tx: Transaction, subject: DataSubject, exportedAtMillis: number): Promise<OwnData> {
  return {
    exportedAtMillis,
    account: (await selectAccountData(tx, subject)) ?? fail('CANNOT_GET_OWN_USER_WITHOUT_USER'),
    addresses: await selectAddresses(tx, subject),
    passkeys: await selectPasskeyData(tx, subject),
    providerAccounts: await selectProviderAccounts(tx, subject),
    sessions: await selectSessionData(tx, subject),
    teams: await selectTeamData(tx, subject),
    apiKeys: await selectApiKeyData(tx, subject),
    preferences: await selectPreferences(tx, subject),
    activity: await selectSecurityEvents(tx, { ...subject, limit: dataExportRowsMax }),
  };
}
