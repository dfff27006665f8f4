/**
 * The statements that do not run on one shard, by file and function, each with the reason. A test finds a statement that is
 * missing here, and an entry without a statement. `docs/operations/sharding.md` says what follows for Citus.
 */

const purge = 'deletes expired rows of one table in all projects by their position';

/** Tables whose distribution columns are not equal in every row. */
export const joinsUnequalColumns: Readonly<Record<string, string>> = {
  'features/audit/purge.ts auditPurgeRules': purge,
  'features/email/purge.ts emailPurgeRules': purge,
  'features/idempotency/purge.ts idempotencyPurgeRules': purge,
  'features/images/purge.ts unusedImages': purge,
  'features/metrics/purge.ts metricsPurgeRules': purge,
  'features/oauth/purge.ts oauthPurgeRules': purge,
  'features/sessions/purge.ts sessionPurgeRules': purge,
  'features/sign-in/purge.ts signInPurgeRules': purge,
  'features/verification-codes/purge.ts codePurgeRules': purge,
  'features/webhooks/purge.ts webhookPurgeRules': purge,
  'features/metrics/store.ts rollUpChanges': 'takes changes of all projects by their position',
  'features/sessions/activity/store.ts insertActivity':
    'a batch of all projects; it deletes by position the events that it has found by project',
  'features/sessions/store.ts insertSession': 'the audit event is a JSON text with the project id of the same request',
};

/** Tables with equal distribution columns, or one table, in several projects. */
export const asksSeveralShards: Readonly<Record<string, string>> = {
  'features/account-deletion/store.ts selectDueUsers': 'the accounts of all projects whose time has come',
  'features/accounts/users/listing/search-copies-store.ts insertSearchCopies': 'a batch of the users of all projects',
  'features/accounts/users/store.ts selectCallUsers': 'loads the users of concurrent requests together',
  'features/api-keys/store.ts selectKeysBySecret': 'loads the keys of concurrent requests together',
  'features/api-keys/store.ts selectLeakedKey': 'the report of a leaked key knows no project',
  'features/audit/record.ts recordAudit': 'the event is a JSON text with the project id of the request',
  'features/audit/store.ts selectUsersOfAddresses': 'a batch of all projects',
  'features/audit/writer.ts createAuditWriter': 'a batch of all projects',
  'features/email/catcher/store.ts deleteOldCaught': 'development: the caught emails of all projects',
  'features/email/catcher/store.ts selectCaught': 'development: the caught emails of all projects',
  'features/email/catcher/store.ts selectOneCaught': 'development: the caught emails of all projects',
  'features/email/notifications/store.ts selectLink': 'an unsubscribe link names no project',
  'features/email/queue/store.ts deleteMails': 'a batch of the queue',
  'features/email/queue/store.ts insertSentMails': 'a batch of the queue',
  'features/email/queue/store.ts selectMails': 'a batch of the queue',
  'features/email/store.ts selectFailed': 'the digest of failed emails of all projects',
  'features/projects/ownership/store.ts selectAddressedOwners': 'the names of the projects of the digest',
  'features/metrics/store.ts rollUpEvents': 'adds up the events of all projects in their order',
  'features/oauth/store.ts selectFlow': 'a provider sends back the state and nothing else of ours',
  'features/oauth/store.ts takeFlow': 'a provider sends back the state and nothing else of ours',
  'features/permissions/grants/team-store.ts selectMemberGrants': 'loads the grants of concurrent requests together',
  'features/projects/internal-api-keys/last-use-store.ts raiseLastUses': 'a batch of all projects',
  'features/projects/members/store.ts selectMemberRoles': 'the roles of the readers of all streams',
  'features/projects/members/store.ts selectMemberships': 'the projects of a user',
  'features/projects/store.ts selectIdsWithSealedConfig': 'a change of the installation secret',
  'features/projects/store.ts selectProjectRecords': 'the projects of a user',
  'features/sessions/ended-sessions/store.ts selectProjectsWithNews': 'one poll for the streams of all projects',
  'features/sessions/opener-store.ts deleteOpenedSessions': 'the suspended person opened sessions in several projects',
  'features/sessions/store.ts selectSessionsOf': 'the sessions of a batch of users',
  'features/webhooks/delivery/store.ts selectDueDeliveries': 'a batch of the queue',
  'features/webhooks/delivery/store.ts startDeliveries': 'a batch of the queue',
  'features/webhooks/delivery/success-store.ts recordSuccesses': 'a batch of the queue',
  'http/service-pages.ts healthPages': 'whether there is a project at all',
};

/** Tables of projects together with tables of the coordinator. */
export const readsLocalTables: Readonly<Record<string, string>> = {
  'features/metrics/purge.ts metricsPurgeRules': 'waits for the rollup',
  'features/metrics/store.ts rollUpEvents': 'advances the rollup',
  'features/metrics/store.ts selectHistory': 'adds the events behind the rollup',
  'features/metrics/store.ts selectMetrics': 'adds the events behind the rollup',
  'features/sessions/activity/store.ts insertActivity': 'deletes only events that the rollup has added up',
  'features/sessions/purge.ts sessionPurgeRules': 'deletes only events that the rollup has added up',
};

/** Statements that write rows of projects and add a job of the queue, which is on the coordinator. */
export const addsJobs: Readonly<Record<string, string>> = {
  'features/webhooks/delivery/store.ts startDeliveries': 'one statement for each batch',
  'features/webhooks/events/store.ts insertEvent': 'one statement for each event',
};

/** Templates whose statement is only known at run time. */
export const builtAtRunTime: Readonly<Record<string, string>> = {
  'features/accounts/users/listing/listing-store.ts beginsWith':
    'a condition on the users of a list that names its project',
  'features/sign-in/store.ts selectPasswordAttempt': 'analyzed by a test of its own',
  'platform/crypto/reencryption.ts replaceValues': 'one table, which encrypted-columns.ts names',
  'platform/crypto/reencryption.ts selectOtherKeyValues': 'one table, which encrypted-columns.ts names',
  'platform/database/purge.ts createDelete': 'the rules are analyzed with it',
  'platform/rate-limits/rate-limits.ts check': 'reads rate_limits only',
  'platform/rate-limits/rate-limits.ts createRateLimits': 'reads rate_limits only',
  'platform/rate-limits/rate-limits.ts noRateLimits': 'reads no table',
  'secret-rotation/encrypted-columns.ts constantPurpose': 'a value',
  'secret-rotation/encrypted-columns.ts encryptedColumns': 'names of tables and columns',
};
