import { type Endpoint, endpoints } from '@tessera/protocol';
import type { Call } from './core/call.ts';
import type { Deps } from './deps.ts';
import { cancelDeletionOnProof } from './features/account-deletion/deletion.ts';
import { accountDeletionCrons, accountDeletionTasks } from './features/account-deletion/job.ts';
import { accountDeletionRoutes } from './features/account-deletion/routes.ts';
import { contactChannelRoutes } from './features/accounts/contact-channels/routes.ts';
import {
  assertRecentOwner,
  createUserCreation,
  findOwnerRoles,
  type OnUserCreated,
  selectCallUsers,
} from './features/accounts/users/index.ts';
import { searchCopies, searchCopiesTask } from './features/accounts/users/listing/search-copies.ts';
import { userRoutes } from './features/accounts/users/routes.ts';
import { deleteUserKeys } from './features/api-keys/index.ts';
import { apiKeyRoutes } from './features/api-keys/routes.ts';
import { createRefusalAudit, createResponseAudit } from './features/audit/index.ts';
import { auditPurgeRules } from './features/audit/purge.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { dashboardPages } from './features/dashboard/routes.ts';
import { dataExportRoutes } from './features/data-export/routes.ts';
import { mailCatcherPages } from './features/email/catcher/routes.ts';
import { emailTasks, mailLane } from './features/email/index.ts';
import { notificationRoutes } from './features/email/notifications/routes.ts';
import { emailPurgeRules } from './features/email/purge.ts';
import { emailRoutes } from './features/email/routes.ts';
import { extensionRoutes } from './features/extensions/routes.ts';
import { createRunOnce } from './features/idempotency/index.ts';
import { idempotencyPurgeRules } from './features/idempotency/purge.ts';
import { imagePurge, imagePurgeTask } from './features/images/purge.ts';
import { imageRoutes } from './features/images/routes.ts';
import { firstOwnerRoutes } from './features/installation/first-owner.ts';
import { ownInstallation } from './features/installation/index.ts';
import { metricsPurgeRules } from './features/metrics/purge.ts';
import { createRollup, createRollupCatchUp, metricsCatchUpTask, metricsTask } from './features/metrics/rollup.ts';
import { metricsRoutes } from './features/metrics/routes.ts';
import { mockProviderPages } from './features/mock-oidc-provider/routes.ts';
import { connectedAccountRoutes } from './features/oauth/connected-accounts/routes.ts';
import { createLinkCompletion, endPendingFlows } from './features/oauth/index.ts';
import { oauthPurgeRules } from './features/oauth/purge.ts';
import { oauthRoutes } from './features/oauth/routes.ts';
import { assertGrantable, createProject } from './features/permissions/index.ts';
import { permissionRoutes } from './features/permissions/routes.ts';
import { projectMemberRoutes } from './features/project-members/routes.ts';
import { projectDeletion, projectDeletionTask } from './features/projects/deletion/deletion.ts';
import { selectMemberRole } from './features/projects/index.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { serviceRoutes } from './features/service/routes.ts';
import { mayContinue, type ReaderAccessDeps } from './features/sessions/index.ts';
import { sessionPurgeRules } from './features/sessions/purge.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { createAccountOpening, createCredentialRemoval, createUpgradeOnProof } from './features/sign-in/index.ts';
import { passkeyRoutes } from './features/sign-in/passkey/routes.ts';
import { signInPurgeRules } from './features/sign-in/purge.ts';
import { reauthenticationRoutes } from './features/sign-in/reauthentication/routes.ts';
import { signInRoutes } from './features/sign-in/routes.ts';
import { createTeamOnSignUp } from './features/teams/index.ts';
import { roleInvitationRoutes } from './features/teams/invitations/role-routes.ts';
import { teamInvitationRoutes } from './features/teams/invitations/routes.ts';
import { teamMemberProfileRoutes } from './features/teams/member-profiles/routes.ts';
import { teamMembershipRoutes } from './features/teams/memberships/routes.ts';
import { teamRoleRoutes } from './features/teams/roles/routes.ts';
import { teamRoutes } from './features/teams/routes.ts';
import { userAdministrationRoutes } from './features/user-administration/routes.ts';
import { codePurgeRules } from './features/verification-codes/purge.ts';
import { webhookWork } from './features/webhooks/index.ts';
import { webhookPurgeRules } from './features/webhooks/purge.ts';
import { svixRoutes, webhookRoutes } from './features/webhooks/routes.ts';
import type { BoundRoute } from './http/bind.ts';
import { type App, toApp } from './http/fetch-adapter.ts';
import { createListTurns, createProjectTurns, type ReadTurns } from './http/list-turns.ts';
import { createPipeline, type Pipeline } from './http/pipeline.ts';
import { createRouter, type Handler } from './http/router.ts';
import { servicePages } from './http/service-pages.ts';
import { batchLoad, overlapping } from './platform/database/batches/batch-load.ts';
import { type PurgeRule, purge, purgeTask } from './platform/database/purge.ts';
import { queuePurgeRules } from './platform/queue/purge.ts';
import type { Cron, Tasks, Work } from './platform/queue/work.ts';
import { rateLimitPurgeRules } from './platform/rate-limits/purge.ts';

/** The whole server as a function of a global `Request`. */
export function createApp(deps: Deps): App {
  return toApp(createHandler(deps));
}

/** Routes, pages and the pipeline that every request of the API takes. */
export function createHandler(deps: Deps): Handler {
  const { settings, mockProvider, log } = deps;
  const inTurn = createProjectTurns(settings.databasePool);
  return createRouter({
    publicUrl: settings.publicUrl,
    isDevelopment: settings.mode === 'development',
    log,
    pipeline: openPipeline(deps, inTurn),
    routes: allRoutes(deps),
    pages: [
      ...(settings.svix === undefined ? svixRoutes({ ...deps, inTurn }) : []),
      ...(settings.mode === 'development' ? mailCatcherPages(deps) : []),
      ...(mockProvider === undefined ? [] : mockProviderPages(mockProvider)),
      ...dashboardPages(deps),
      ...servicePages(deps),
    ],
  });
}

function openPipeline(deps: Deps, inTurn: ReadTurns): Pipeline {
  const { settings } = deps;
  return createPipeline({
    projects: deps.projects,
    accessTokens: deps.accessTokens,
    clock: deps.clock,
    findUser: batchLoad(asked => selectCallUsers(deps.db, asked, deps.clock.now()), overlapping),
    findMemberRole: asked => selectMemberRole(deps.db, asked),
    assertRecentOwner: (sessionId, withinMs) => assertRecentOwner(sessionId, withinMs, deps),
    mayContinue: (caller, endpoint) => mayContinue(caller, endpoint, withOwnerRoles(deps)),
    log: deps.log,
    metrics: deps.metrics,
    telemetry: deps.telemetry,
    isHttps: settings.publicUrl.startsWith('https:'),
    isDevelopment: settings.mode === 'development',
    trustedProxyHops: settings.trustedProxyHops,
    onAnswered: afterAnswer(deps),
    onFailed: createRefusalAudit(deps),
    runOnce: createRunOnce(deps),
    listTurns: createListTurns(inTurn),
  });
}

/** The dependencies with the search for the present roles of persons. */
function withOwnerRoles(deps: Deps) {
  const findRoles: ReaderAccessDeps['findOwnerRoles'] = accesses => findOwnerRoles(deps.db, accesses, deps.clock.now());
  return { ...deps, findOwnerRoles: findRoles };
}

/** What is recorded after each answer: events of the audit log, and the last use of a key. */
function afterAnswer(deps: Deps): (endpoint: Endpoint, call: Call) => void {
  const audit = createResponseAudit(deps);
  return (endpoint, call) => {
    audit(endpoint, call);
    const { keySetId, project } = call;
    if (keySetId !== undefined && project !== null) deps.keySetUses.record({ projectId: project.id, keySetId });
  };
}

/** The first user of `internal` owns a development installation; in production only the owner link creates an owner. */
const onFirstUser = ({ settings }: Deps): readonly OnUserCreated[] =>
  settings.mode === 'development' ? [ownInstallation] : [];

/**
 * The routes of the whole server.
 *
 * @throws when an endpoint of the table has no handler, or two
 */
export function allRoutes(deps: Deps): BoundRoute[] {
  const onUserUpgraded = onFirstUser(deps);
  const createUser = createUserCreation([...onUserUpgraded, createTeamOnSignUp]);
  const credentialRemoval = createCredentialRemoval({
    onCredentialsRemoved: [endPendingFlows, deleteUserKeys],
    onAddressProved: [cancelDeletionOnProof(deps)],
  });
  const openAccount = createAccountOpening({ createUser, onUserUpgraded, credentialRemoval }, deps);
  const routes = [
    ...serviceRoutes(deps),
    ...projectRoutes(deps, {
      createProject,
      assertGrantable,
      assertRecentOwner: (sessionId, withinMs) => assertRecentOwner(sessionId, withinMs, deps),
    }),
    ...permissionRoutes(deps),
    ...auditRoutes(deps),
    ...userRoutes(deps, createUser),
    ...sessionRoutes(withOwnerRoles(deps)),
    ...contactChannelRoutes(deps),
    ...notificationRoutes(deps),
    ...emailRoutes(deps),
    ...signInRoutes(deps, {
      createUser,
      openAccount,
      credentialRemoval,
      completeLink: createLinkCompletion({ openAccount, deps }),
      upgradeOnProof: createUpgradeOnProof(onUserUpgraded),
    }),
    ...oauthRoutes(deps, openAccount),
    ...connectedAccountRoutes(deps),
    ...passkeyRoutes(deps),
    ...reauthenticationRoutes(deps),
    ...teamRoutes(deps),
    ...teamMembershipRoutes(deps),
    ...teamMemberProfileRoutes(deps),
    ...teamInvitationRoutes(deps),
    ...teamRoleRoutes(deps),
    ...roleInvitationRoutes(deps),
    ...apiKeyRoutes(deps),
    ...metricsRoutes(deps),
    ...webhookRoutes(deps),
    ...imageRoutes(deps),
    ...dataExportRoutes(deps),
    ...accountDeletionRoutes(deps),
    ...extensionRoutes(deps),
    ...userAdministrationRoutes(deps, createUser),
    ...firstOwnerRoutes(deps, createUser),
    ...projectMemberRoutes(deps, createUser),
  ];
  assertComplete(routes, endpoints);
  return routes;
}

function assertComplete(routes: readonly BoundRoute[], table: readonly Endpoint[]): void {
  for (const endpoint of table) {
    const count = routes.filter(route => route.endpoint === endpoint).length;
    if (count !== 1) throw new Error(`${endpoint.method} ${endpoint.path} has ${count} handlers, one is needed`);
  }
}

/** All work of the job workers of a process. */
export function allWork(deps: Deps): Work {
  const webhooks = webhookWork(deps);
  const tasks: Tasks = {
    ...emailTasks(deps),
    ...webhooks.tasks,
    [projectDeletionTask]: projectDeletion(deps),
    [metricsTask]: createRollup(deps),
    [metricsCatchUpTask]: createRollupCatchUp(deps),
    [purgeTask]: purge(purgeRules, deps),
    [imagePurgeTask]: imagePurge(deps),
    [searchCopiesTask]: searchCopies(deps),
    ...accountDeletionTasks(deps),
  };
  return { tasks: deps.telemetry?.traceTasks(tasks) ?? tasks, lanes: [mailLane(deps), ...webhooks.lanes], crons };
}

/** The scheduled jobs. */
const crons: readonly Cron[] = [
  { task: metricsTask, when: '* * * * *' },
  { task: purgeTask, when: '*/10 * * * *' },
  { task: imagePurgeTask, when: '37 3 * * *' },
  { task: searchCopiesTask, when: '* * * * *' },
  ...accountDeletionCrons,
];

/** The rules of the purge that runs every ten minutes, in this order. A feature with expiring rows adds a line. */
export const purgeRules: readonly PurgeRule[] = [
  ...sessionPurgeRules,
  ...codePurgeRules,
  ...signInPurgeRules,
  ...rateLimitPurgeRules,
  ...metricsPurgeRules,
  ...auditPurgeRules,
  ...queuePurgeRules,
  ...webhookPurgeRules,
  ...emailPurgeRules,
  ...oauthPurgeRules,
  ...idempotencyPurgeRules,
];
